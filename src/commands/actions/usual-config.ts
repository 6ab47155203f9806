/** The configuration that is loaded when it stands in the working folder. */
export const usualConfig = 'conformance.config.yaml'

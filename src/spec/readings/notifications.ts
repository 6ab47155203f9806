import type { Chapter } from './reading.ts'

export const notifications: Chapter = {
  letter: 'D',
  title: 'Notifications',
  readings: [
    {
      id: 'D1',
      section: 'Resources and their fields, Notification thread',
      open: 'The field last_read_at is a string, but a thread that was never read has no such instant, and servers in use send null.',
      judged:
        'A last_read_at of null warns, as a deliberate exception to the letter, since the document writes "string or null" where it means that. Otherwise the value is a timestamp in the documented form; anything else fails.',
      caught: 'A number, and a timestamp in another form.',
    },
    {
      id: 'D2',
      section: 'Resources and their fields, Notification thread; Minimal repository',
      open: "The subject's url and latest_comment_url and the repository's description are strings, but servers in use leave them null.",
      judged:
        'A null in the url or latest_comment_url of a subject, or in the description of a repository, warns; a number or an object fails.',
      caught: 'A value of another type.',
    },
    {
      id: 'D3',
      section: 'Resources and their fields, Thread subscription',
      open: 'The created_at of a subscription is a timestamp, but servers in use leave it null.',
      judged: 'A created_at of null in a subscription warns.',
      caught: 'A value that is neither a timestamp nor null.',
    },
    {
      id: 'D4',
      section: 'Endpoints, Notifications',
      open: 'Only GET /notifications states an order.',
      judged:
        "The order of GET /notifications is judged over the whole walk, also with all=true, and threads with equal timestamps may come in either order. The order of a repository's list is not judged.",
      caught: 'An inbox that is not sorted by the most recent update.',
    },
    {
      id: 'D5',
      section: 'Endpoints, Notifications',
      open: 'The document does not say which field since and before are compared with, nor whether they include their own instant.',
      judged:
        'The instants since and before are compared with updated_at. Boundaries are strictly between two threads of one day, and equality is not judged.',
      caught: 'A filter that is ignored, reversed, or that compares whole days.',
    },
    {
      id: 'D6',
      section: 'Endpoints, Notifications',
      open: 'The document does not say which reasons count as participating.',
      judged:
        'The list with participating=true must be part of the list without it. A thread with the reason subscribed in the narrowed list warns. On both lists a missing thread warns when it was made with one of the reasons author, mention, assign, review_requested, team_mention and comment.',
      caught:
        'A filter that is ignored, as a warning, and only where a thread with the reason subscribed exists while nothing else changes.',
    },
    {
      id: 'D7',
      section: 'Endpoints, Notifications; Errors 422',
      open: 'The document does not state what makes GET /notifications answer 422, which can also mean that the endpoint was spammed.',
      judged:
        'A malformed since or before on GET /notifications is expected to be answered 422, and anything else warns. Nothing is asserted for the list of a repository.',
    },
    {
      id: 'D8',
      section: 'States and transitions, Notification thread moves',
      open: 'The document does not state how many notifications are too many for one request.',
      judged:
        'Marking many threads as read may be answered 202 or 205. A 202 needs a body with a string message and its effect must follow; a 205 needs a body of zero bytes. Two checks judge them, and each is earned only by its own status (needs disposable-inbox and bulk-inbox).',
      caught: 'A 200, a 204, a 205 with a body, and a 202 without a message or without an effect.',
    },
    {
      id: 'D9',
      section: 'Errors, success codes',
      open: 'An empty body may be framed by a Content-Length of zero, by no Content-Length or by an empty chunked body.',
      judged:
        'Zero bytes of body are read, however the response is framed. Reading ends at a time-out, because proxies can handle a 205 in odd ways.',
      caught: 'A 205 with a JSON body.',
    },
    {
      id: 'D10',
      section: 'Endpoints, Notifications',
      open: 'The document does not say what the member read of the request body means.',
      judged: 'The member read is sent with the value true or not at all; the value false is not judged.',
    },
    {
      id: 'D11',
      section: 'Endpoints, Notifications',
      open: 'The document does not say whether a thread that was updated exactly at last_read_at is marked as read.',
      judged:
        'The sent last_read_at is between two threads of one day that are two seconds apart, and equality is not judged. Without last_read_at, old threads and threads of private repositories are marked too.',
      caught: 'Threads that are marked although they were updated later, and a comparison of dates without their time.',
    },
    {
      id: 'D12',
      section: 'States and transitions, Notification thread moves',
      open: 'The document does not say which lists a thread leaves when it is marked as done.',
      judged:
        'The check fails when the default list of the inbox or of the repository still contains the thread as unread. The list with all=true and the thread itself are not judged.',
      caught: 'A status other than 204, and a marking without effect.',
    },
    {
      id: 'D13',
      section: 'Endpoints, Notifications; What the service does',
      open: 'The rows do not list 404 for a thread that does not exist or that belongs to somebody else.',
      judged:
        "The refusal class applies to a thread that does not exist or belongs to somebody else. A 2xx fails for another user's thread, and for reading an unknown one; it warns for deleting an unknown thread or its subscription, since those rows show no refusal. After a refused PATCH, PUT or DELETE the owner finds the thread unchanged. No list contains a thread of another user.",
      caught: "Access to another user's thread, an effect behind a refusal, and another user's threads in an inbox.",
    },
    {
      id: 'D14',
      section: 'Endpoints, Notifications; Errors 401',
      open: 'Some rows do not list 401, which looks like an omission.',
      judged: 'An anonymous request is answered 401 exactly where the row lists it. On the other rows the refusal class applies.',
      caught: 'An anonymous request that succeeds.',
    },
    {
      id: 'D15',
      section: 'Authentication, rule 5',
      open: 'The document does not state the status by which the refused kinds of token are refused.',
      judged:
        'A kind of token that is refused is judged by the refusal class: no data and no change, while the same token is proven valid elsewhere.',
      caught: 'An app token that is accepted.',
    },
    {
      id: 'D16',
      section: 'Authentication, rule 5',
      open: 'Either of two scopes is sufficient, and one of them is also needed to reach issues and commits.',
      judged: 'Each scope alone is sufficient on all ten endpoints. Following the address of a subject is out of scope.',
      caught: 'A token with the scope repo that is refused.',
    },
    {
      id: 'D17',
      section: 'States and transitions, Notification thread moves',
      open: 'The document does not show what reading a deleted subscription returns.',
      judged:
        'Reading a deleted subscription, a 404 passes, and so does a 200 with subscribed false. A 200 with subscribed true warns, because the user may watch the repository.',
      caught: 'A deletion that is answered with another status than 204.',
    },
    {
      id: 'D18',
      section: 'Endpoints, Notifications',
      open: 'The document does not show the subscription of a thread that nobody subscribed to.',
      judged:
        'Nothing is asserted about a thread that nobody subscribed to; a check creates the subscription by a PUT before it reads it.',
    },
    {
      id: 'D19',
      section: 'States and transitions, Notification thread moves',
      open: 'The document does not state the value of subscribed while a thread is ignored.',
      judged:
        'Sending ignored true must set ignored, and sending ignored false must set subscribed to true; otherwise the check fails. The value of subscribed while the thread is ignored is not judged.',
      caught: 'A subscription that does not begin when the thread is no longer ignored.',
    },
    {
      id: 'D20',
      section: 'Resources and their fields, Reason values',
      open: 'Further reasons may be added to the fifteen.',
      judged:
        'An unknown reason is reported as an observation. An empty string, a value that is no string, and a documented reason in another letter case fail.',
      caught: 'A reason in capital letters, such as MENTION.',
    },
    {
      id: 'D21',
      section: 'Resources and their fields, Reason values',
      open: 'The document does not say which reason wins when a notification has several causes.',
      judged: 'Reasons are judged on new threads with a single cause.',
      caught: 'A wrong reason.',
    },
    {
      id: 'D22',
      section: 'Resources and their fields, Reason values',
      open: 'Only for a mention does the document say that a reason stays.',
      judged: 'Exactly one course is judged: a thread of the author, then a mention, then a plain comment.',
      caught: 'A reason that returns to author or becomes comment.',
    },
    {
      id: 'D23',
      section: 'States and transitions, Notification thread moves',
      open: 'The document does not say how soon a notification arrives, and a watched repository continues to notify.',
      judged:
        'Silence is judged in a repository that the user does not watch, on a thread whose reason is not subscribed (need muting-thread). A control thread that is not muted must have become unread by then.',
      caught: 'A muting that is ignored.',
    },
    {
      id: 'D24',
      section: 'Resources and their fields, Minimal repository',
      open: 'Address templates contain placeholders, and an SSH address is no URL.',
      judged: 'Of the address fields of a repository only the type string is judged.',
      caught: 'An address field that is missing or null.',
    },
    {
      id: 'D25',
      section: 'Resources and their fields, Notification thread',
      open: 'The host in an address may differ from the base URL where the target is behind a proxy.',
      judged: 'Of an address only the end of the path is compared, and an address is followed only within the same origin.',
      caught: 'An address that leads to another thread.',
    },
    {
      id: 'D26',
      section: 'Resources and their fields, Notification thread; Endpoints, Notifications',
      open: 'The id is a string in the resource and an integer in the path.',
      judged: 'The id of a thread in JSON is a string of digits.',
      caught: 'A JSON number.',
    },
    {
      id: 'D27',
      section: 'Resources and their fields, User object',
      open: 'The type of a user object is shown as User, but organisations own repositories too.',
      judged: 'Any string passes as the type of a user object.',
      caught: 'A value that is no string.',
    },
    {
      id: 'D28',
      section: 'Resources and their fields, Notification thread',
      open: 'The document does not say that a thread in a list and the same thread by its id agree.',
      judged:
        "A thread that is read by its id and the same thread in a list are compared. A different id fails. A difference in updated_at, reason, unread, the title of the subject or the repository warns, in bracketed reads. It also warns when last_read_at moves backwards, and when full_name does not consist of the owner's login and the name.",
      caught: 'A thread that is served under the id of another one.',
    },
    {
      id: 'D29',
      section: 'States and transitions, Notification thread moves',
      open: 'A thread without a subscription is muted, but a watched repository continues to notify.',
      judged:
        'With a thread whose repository the user watches (a need), new activity after the subscription was deleted must still notify; otherwise the check fails.',
      caught: 'A muting that silences a watched repository.',
    },
    {
      id: 'D30',
      section: 'Endpoints, Notifications',
      open: 'The default of last_read_at is the current time, without a stated precision.',
      judged:
        'On both requests that mark many threads as read without last_read_at, a thread that was updated a moment before the request is read afterwards; otherwise the check fails.',
      caught: 'A default of midnight or of the start of the hour.',
    },
  ],
}

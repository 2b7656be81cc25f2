/**
 * The two error envelopes as the interface spells them, written down once more so that the sandbox's own tables are
 * tested.
 */

const names: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

function typeOf(status: number): string {
  return status === 422 ? 'UnprocessableEntityHttpException' : `${names[status]?.replaceAll(' ', '')}HttpException`;
}

/** A refusal in the flat envelope of the platform. `message` may be an asymmetric matcher. */
export function flat(status: number, code: number, message: unknown) {
  return { status, body: { name: names[status], message, code, status, type: typeOf(status) } };
}

/** A 404 of the platform or the control API: it names what does not exist. */
export function notFound(what: string) {
  return flat(404, 44, `${what} does not exist`);
}

/** A refusal in the wrapped envelope of the client. */
export function wrapped(status: number, message: string) {
  const data = { name: names[status], message, code: 0, status, type: typeOf(status) };
  return { status, body: { success: false, status, data } };
}

export const unavailable = flat(503, 65, 'Temporarily unavailable');
export const mandatory = wrapped(422, 'Please enter the mandatory details to proceed further.');
export const tokenInvalid = wrapped(422, 'Token Invalid');

/**
 * Status and body of a typed client's answer that was refused; for one that was not, the data, so that a test shows it.
 */
export function refusal({ data, error, response }: { data?: unknown; error?: unknown; response: Response }) {
  return { status: response.status, body: error ?? data };
}

/** Status and body of a raw answer, without its headers. */
export function plain({ status, body }: { status: number; body: unknown }) {
  return { status, body };
}

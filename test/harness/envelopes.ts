/** The two error envelopes of the interface, written independently of the sandbox's own tables so that tests can check those. */

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

/** Builds a refusal in the platform's flat envelope. `message` may be an asymmetric matcher. */
export function flat(status: number, code: number, message: unknown) {
  return { status, body: { name: names[status], message, code, status, type: typeOf(status) } };
}

/** Builds a 404 of the platform or the control API, which names the missing resource. */
export function notFound(what: string) {
  return flat(404, 44, `${what} does not exist`);
}

/** Builds a refusal in the client's wrapped envelope. */
export function wrapped(status: number, message: string) {
  const data = { name: names[status], message, code: 0, status, type: typeOf(status) };
  return { status, body: { success: false, status, data } };
}

export const unavailable = flat(503, 65, 'Temporarily unavailable');
export const mandatory = wrapped(422, 'Please enter the mandatory details to proceed further.');
export const tokenInvalid = wrapped(422, 'Token Invalid');

/** Returns the status and body of a refused typed call. If the call succeeded, the body is its data, so that a failing test shows it. */
export function refusal({ data, error, response }: { data?: unknown; error?: unknown; response: Response }) {
  return { status: response.status, body: error ?? data };
}

/** Returns the status and body of a raw reply, without its headers. */
export function plain({ status, body }: { status: number; body: unknown }) {
  return { status, body };
}

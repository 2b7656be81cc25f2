/** A refused call. The server converts it to the error reply that the interface defines. */
export class Refused extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export const tokenInvalid = () => new Refused(422, 'Token Invalid');
export const mandatory = () => new Refused(422, 'Please enter the mandatory details to proceed further.');

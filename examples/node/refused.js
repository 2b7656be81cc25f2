/** A call that is not carried out. The server turns it into the reply that the interface states. */
export class Refused extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export const tokenInvalid = () => new Refused(422, 'Token Invalid');
export const mandatory = () => new Refused(422, 'Please enter the mandatory details to proceed further.');

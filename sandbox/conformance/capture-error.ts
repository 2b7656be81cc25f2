/** A file that is no capture. */
export class CaptureError extends Error {}

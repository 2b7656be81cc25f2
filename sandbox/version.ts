/** The version of the `@rewards-sandbox/sandbox` package. */
export const version = '0.1.0';

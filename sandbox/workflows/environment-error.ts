/** Nothing could be run: why, and what can be done. */
export class EnvironmentError extends Error {}

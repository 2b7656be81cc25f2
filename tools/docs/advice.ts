/** Advice on an error: its cause, its fix, and whether the client may retry the call. */
export interface Advice {
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly retry: string;
}

/** Retry advice for errors that are permanent until the call changes. */
export const never = 'No. The same call fails the same way.';

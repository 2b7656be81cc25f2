/** Why an error happens, what to do about it, and whether the same call may be sent again. */
export interface Advice {
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly retry: string;
}

/** Whether a call that breaks a rule may be sent again as it is. */
export const never = 'No. The same call fails the same way.';

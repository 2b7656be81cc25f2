/** How another party answered a call: yes, no in its own words, or nothing that says either. */
export type Answer<T = unknown> =
  | { readonly kind: 'accepted'; readonly body: T }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'no_answer'; readonly reason: string; readonly ours?: OwnInterruption };

/** Why no answer says nothing about the other party: this process did not send the call, or broke it off. */
export type OwnInterruption = 'not_sent' | 'broken_off';

/** An answer that is no yes. */
export type NotAccepted = Exclude<Answer, { kind: 'accepted' }>;

/** The message of a refusal: the party's own words, or why there are none. */
export function wordsOf(answer: NotAccepted): string {
  return answer.kind === 'refused' ? answer.message : answer.reason;
}

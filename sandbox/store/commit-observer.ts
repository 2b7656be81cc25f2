/** Who measures what stores write. */
export interface CommitObserver {
  /** A batch of so many transactions was handed to the system, in so many bytes. */
  committed(transactions: number, bytes: number): void;
  /** A flush begins. What is returned is called once all of it is kept. */
  flushing(): () => void;
}

/** Rows of a `facts` list: a title and its value. */
import type { ComponentChildren } from 'preact';

export function Fact({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The customer, with a link to their ledger. */
export function CustomerFact({ uid }: { uid: string }) {
  return (
    <Fact title="Customer">
      <a href={`/dashboard/ledger?uid=${encodeURIComponent(uid)}`}>{uid}</a>
    </Fact>
  );
}

/** The redemption, with a link to its timeline. */
export function RedemptionFact({ code }: { code: string }) {
  return (
    <Fact title="Redemption">
      <a href={`/dashboard/redemptions/${encodeURIComponent(code)}`}>{code}</a>
    </Fact>
  );
}

import { html } from '../html.ts';
import { page } from '../site.ts';
import { type Address, type AddressProblems, stateNames } from './address.ts';
import { art } from './art/art.ts';
import { afterwards, costs, masthead, points } from './parts.ts';
import type { Portal } from './portal.ts';
import type { Reward, VisitorAccount } from './portal-orders.ts';

type SignedIn = Extract<VisitorAccount, { kind: 'signed_in' }>;

/** An order that is about to be placed. */
export interface Basket {
  readonly reward: Reward;
  readonly quantity: number;
  readonly formKey: string;
  readonly address: Address;
  readonly problems: AddressProblems;
}

/** What the order will cost, where it goes, and the button, or why there is none (G12). */
export function checkoutPage({ site }: Portal, visitor: SignedIn, basket: Basket): string {
  const { reward, quantity } = basket;
  const cost = reward.cost(quantity);
  const { balance } = visitor.points;
  const needed = cost.totalPointWithProcessingFee;
  const main = html`
    <p><a class="back" href=${`rewards/${encodeURIComponent(reward.sku)}`}>Back</a></p>
    <h1>Review your order</h1>
    <div class="checkout">
      <section class="panel" aria-label="Order">
        <p class="ordered">
          ${art(reward, 'square')}
          <span><strong>${reward.name}</strong> <span class="quiet">Quantity ${quantity}</span></span>
        </p>
        ${costs(cost)}
        ${afterwards(needed, balance)}
      </section>
      ${
        reward.available < quantity
          ? refusal('No longer available', 'Not enough of this reward is left. Nothing was ordered.')
          : needed > balance
            ? refusal(
                'Insufficient balance',
                `You need ${points(needed)} and have ${points(balance)}. Nothing was ordered.`,
              )
            : orderForm(basket, needed)
      }
    </div>
  `;
  return page(site, { title: 'Review your order', masthead: masthead('', visitor, 'rewards'), main });
}

function refusal(title: string, text: string) {
  return html`
    <section class="notice bad" role="alert">
      <h2>${title}</h2>
      <p>${text}</p>
      <p><a class="button" href="rewards">Choose another reward</a></p>
    </section>
  `;
}

function orderForm({ reward, quantity, formKey, address, problems }: Basket, needed: number) {
  return html`
    <form class="panel order" method="post" action="orders">
      <input type="hidden" name="form_key" value=${formKey} />
      <input type="hidden" name="sku" value=${reward.sku} />
      <input type="hidden" name="quantity" value=${String(quantity)} />
      ${reward.product_type === 'PHYSICAL' && addressFields(address, problems)}
      <button data-once>Redeem ${points(needed)}</button>
      <p class="quiet">Points are deducted immediately and refunded if the order is rejected.</p>
    </form>
  `;
}

function addressFields(address: Address, problems: AddressProblems) {
  return html`
    <fieldset>
      <legend>Ship to</legend>
      ${field(
        'address',
        'Address (house, street and city)',
        problems,
        (more) =>
          html`<textarea id="address" name="address" rows="3" maxlength="200" required autocomplete="street-address" ...${more}>${address.address}</textarea>`,
      )}
      ${field(
        'pincode',
        'Pincode',
        problems,
        (more) =>
          html`<input id="pincode" name="pincode" value=${address.pincode} required inputmode="numeric" pattern="[1-9][0-9]{5}" maxlength="6" title="Six digits" autocomplete="postal-code" ...${more} />`,
      )}
      ${field(
        'state',
        'State',
        problems,
        (more) =>
          html`<select id="state" name="state" required autocomplete="address-level1" ...${more}>
          <option value="">Choose</option>
          ${[...stateNames].map(
            ([code, name]) => html`<option value=${code} selected=${code === address.state}>${name}</option>`,
          )}
        </select>`,
      )}
    </fieldset>
  `;
}

/** A field with its label and, where it has one, its problem. */
function field(
  name: keyof Address,
  label: string,
  problems: AddressProblems,
  input: (more: Readonly<Record<string, string>>) => unknown,
) {
  const problem = problems[name];
  const more = problem === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-problem` };
  return html`
    <div class="field">
      <label for=${name}>${label}</label>
      ${input(more)} ${problem && html`<p class="problem" id=${`${name}-problem`}>${problem}</p>`}
    </div>
  `;
}

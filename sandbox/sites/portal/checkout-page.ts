import { html } from '../html.ts';
import { page } from '../site.ts';
import { art } from './art/art.ts';
import { afterwards, costs, masthead, points } from './parts.ts';
import type { Portal } from './portal.ts';
import type { Profile, Reward, VisitorAccount } from './portal-orders.ts';

/** A delivery address, as entered in the form. */
interface Address {
  readonly address: string;
  readonly pincode: string;
  readonly state: string;
}

/** The problems of an address, by field. */
type AddressProblems = Partial<Record<keyof Address, string>>;

const addressLength = 200;

/** Returns the customer's own address, which prefills the form. */
export function ownAddress({ address1, address2, city, pincode, state }: Profile): Address {
  const address = [address1, address2, city].filter((part) => part !== '').join(', ');
  return { address, pincode: String(pincode), state: String(state) };
}

/** Returns the problems of an address by field; empty if it is valid. */
export function problemsOf({ address, pincode, state }: Address): AddressProblems {
  const length = address.trim().length;
  return {
    ...(length < 5 && { address: 'Enter the house, street and city.' }),
    ...(length > addressLength && { address: `Use up to ${addressLength} characters.` }),
    ...(!/^[1-9][0-9]{5}$/.test(pincode.trim()) && { pincode: 'Enter a six-digit pincode.' }),
    ...(!stateNames.has(state) && { state: 'Choose a state.' }),
  };
}

/** Returns the address as a single string, the format of an order (OP-05). */
export function written({ address, pincode, state }: Address): string {
  return `${address.trim()}, ${stateNames.get(state)}, ${pincode.trim()}`;
}

/** States and union territories by GST state code. */
const stateNames: ReadonlyMap<string, string> = new Map([
  ['35', 'Andaman and Nicobar Islands'],
  ['37', 'Andhra Pradesh'],
  ['12', 'Arunachal Pradesh'],
  ['18', 'Assam'],
  ['10', 'Bihar'],
  ['4', 'Chandigarh'],
  ['22', 'Chhattisgarh'],
  ['26', 'Dadra and Nagar Haveli and Daman and Diu'],
  ['7', 'Delhi'],
  ['30', 'Goa'],
  ['24', 'Gujarat'],
  ['6', 'Haryana'],
  ['2', 'Himachal Pradesh'],
  ['1', 'Jammu and Kashmir'],
  ['20', 'Jharkhand'],
  ['29', 'Karnataka'],
  ['32', 'Kerala'],
  ['38', 'Ladakh'],
  ['31', 'Lakshadweep'],
  ['23', 'Madhya Pradesh'],
  ['27', 'Maharashtra'],
  ['14', 'Manipur'],
  ['17', 'Meghalaya'],
  ['15', 'Mizoram'],
  ['13', 'Nagaland'],
  ['21', 'Odisha'],
  ['34', 'Puducherry'],
  ['3', 'Punjab'],
  ['8', 'Rajasthan'],
  ['11', 'Sikkim'],
  ['33', 'Tamil Nadu'],
  ['36', 'Telangana'],
  ['16', 'Tripura'],
  ['9', 'Uttar Pradesh'],
  ['5', 'Uttarakhand'],
  ['19', 'West Bengal'],
]);

type SignedIn = Extract<VisitorAccount, { kind: 'signed_in' }>;

/** An order before it is placed. */
interface Basket {
  readonly reward: Reward;
  readonly quantity: number;
  readonly formKey: string;
  readonly address: Address;
  readonly problems: AddressProblems;
}

/** Renders the cost and the order form, or the reason why the order is not possible (G12). */
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

/** Renders a field with its label and its problem, if any. */
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

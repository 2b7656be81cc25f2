import { html, notice, page } from '../site.ts';
import { art } from './art/art.ts';
import { afterwards, costs, masthead, points } from './parts.ts';
import type { Portal, Profile, Reward, SignedIn } from './portal.ts';

/** A delivery address, as entered in the form. */
type Address = Readonly<Record<'address' | 'pincode' | 'state', string>>;

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
      ${refusalOf(basket, needed, balance) ?? orderForm(basket, needed)}
    </div>
  `;
  return page(site, { title: 'Review your order', masthead: masthead('', visitor, 'rewards'), main });
}

/** Renders the reason why the order is not possible; `undefined` if it is. */
function refusalOf({ reward, quantity }: Basket, needed: number, balance: number) {
  if (reward.available < quantity) return refusal('No longer available', 'Not enough of this reward is left.');
  if (needed <= balance) return undefined;
  return refusal('Insufficient balance', `You need ${points(needed)} and have ${points(balance)}.`);
}

function refusal(title: string, why: string) {
  const attributes = { class: 'notice bad', role: 'alert' };
  const link = ['rewards', 'Choose another reward'] as const;
  return notice(html`<h2>${title}</h2>`, `${why} Nothing was ordered.`, link, { attributes });
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

function addressFields({ address, pincode, state }: Address, problems: AddressProblems) {
  const wrong = (name: keyof Address) =>
    problems[name] === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${name}-problem` };
  const problem = (name: keyof Address) =>
    problems[name] && html`<p class="problem" id=${`${name}-problem`}>${problems[name]}</p>`;
  return html`
    <fieldset>
      <legend>Ship to</legend>
      <div class="field">
        <label for="address">Address (house, street and city)</label>
        <textarea id="address" name="address" rows="3" maxlength="200" required autocomplete="street-address" ...${wrong('address')}>${address}</textarea> ${problem('address')}
      </div>
      <div class="field">
        <label for="pincode">Pincode</label>
        <input id="pincode" name="pincode" value=${pincode} required inputmode="numeric" pattern="[1-9][0-9]{5}" maxlength="6" title="Six digits" autocomplete="postal-code" ...${wrong('pincode')} /> ${problem('pincode')}
      </div>
      <div class="field">
        <label for="state">State</label>
        <select id="state" name="state" required autocomplete="address-level1" ...${wrong('state')}>
          <option value="">Choose</option>
          ${[...stateNames].map(([code, name]) => html`<option value=${code} selected=${code === state}>${name}</option>`)}
        </select> ${problem('state')}
      </div>
    </fieldset>
  `;
}

import { evolve, type OrderState, type OrderStatus } from '../domain/order.ts';
import { evolveLine, newLine, type VendorVoucher } from '../domain/order-line.ts';
import { earnedPoints, linePoints, parseAmount } from '../domain/points.ts';
import type { MagicItem } from '../magic/table.ts';
import { digits, nextNumber, orderedKey, type SeededRandom } from '../runtime/ids.ts';
import { defaultSettings } from '../runtime/settings.ts';
import { digest } from '../runtime/tokens.ts';
import { itemOf } from './catalogue.ts';
import type { Item, Line, Payment, PlatformTx, VendorName } from './collections.ts';
import { voucherRecord } from './orders.ts';

/** Invented brands of e-gift vouchers. The services vendor fulfils vouchers of service brands. */
const egiftBrands = [
  ['SPICE', 'Spice Route Kitchen'],
  ['CHAI', 'Chai Junction'],
  ['BAZAAR', 'Big Lane Bazaar'],
  ['KHADI', 'Khadi & Loom'],
  ['GADGET', 'Gadget Gully'],
  ['BOOKS', 'Banyan Books'],
  ['TOYS', 'Lattoo Toys'],
  ['SHOES', 'Chappal Street'],
  ['JEWEL', 'Meenakari Jewels'],
  ['FRESH', 'Sabzi Fresh'],
  ['SWEETS', 'Mithai Mahal'],
  ['FUEL', 'Highway Fuel'],
  ['CINEMA', 'Talkies Cinema'],
  ['PHARMA', 'Tulsi Pharmacy'],
] as const;
const serviceBrands = [
  ['SALON', 'Sparsh Salon'],
  ['CLEAN', 'Saaf Home Cleaning'],
  ['YOGA', 'Surya Yoga Studio'],
  ['TRAVEL', 'Yatra Lines Travel'],
  ['REPAIR', 'Jhatpat Repairs'],
  ['LEARN', 'Vidya Courses'],
] as const;
const denominations = [100, 250, 500, 1000, 2000];

const products = [
  ['KETTLE', 'Steel electric kettle 1.5 l', 1499],
  ['TAWA', 'Cast iron tawa 28 cm', 899],
  ['COOKER', 'Pressure cooker 5 l', 2199],
  ['TIFFIN', 'Three-tier tiffin box', 749],
  ['LAMP', 'Brass reading lamp', 2199],
  ['DURRIE', 'Handwoven cotton durrie', 1299],
  ['BOTTLE', 'Copper water bottle', 649],
  ['SPEAKER', 'Pocket speaker', 1799],
  ['BAG', 'Canvas weekend bag', 1999],
  ['CLOCK', 'Teak wall clock', 1199],
] as const;
const colours = ['indigo', 'marigold', 'sandal', 'peacock'];

/** Uncommon items: inactive, out of stock, or with vouchers that contain something other than a PIN. */
const uncommon: readonly (readonly [sku: string, name: string, price: number, vendor: VendorName, Partial<Item>?])[] = [
  ['EGV-SPA-1000', 'Chandan Spa gift card 1000', 1000, 'services', { voucherForm: 'gift_card' }],
  ['EGV-SPA-2500', 'Chandan Spa gift card 2500', 2500, 'services', { voucherForm: 'gift_card' }],
  ['EGV-HOTEL-500', 'Haveli Stays gift card 500', 500, 'services', { voucherForm: 'gift_card', status: 2, stock: 0 }],
  ['EGV-MUSIC-250', 'Sargam Music e-gift voucher 250', 250, 'egift', { voucherForm: 'code_only' }],
  ['EGV-MUSIC-500', 'Sargam Music e-gift voucher 500', 500, 'egift', { voucherForm: 'code_only' }],
  ['EGV-METRO-200', 'Nagar Metro e-gift voucher 200', 200, 'egift', { voucherForm: 'code_only', status: 0 }],
  ['PHY-UMBRELLA-01', 'Monsoon umbrella, indigo', 599, 'merchandise', { status: 0 }],
  ['PHY-UMBRELLA-02', 'Monsoon umbrella, marigold', 599, 'merchandise', { stock: 3 }],
  ['PHY-BLANKET-01', 'Woollen blanket, sandal', 1899, 'merchandise', { status: 2, stock: 0 }],
  ['PHY-BLANKET-02', 'Woollen blanket, peacock', 1899, 'merchandise'],
];

/** Adds the demo catalogue: 100 e-gift vouchers and 40 products from three vendors, all available. */
export function seedCatalogue(tx: PlatformTx, random: SeededRandom): void {
  const items = [...vouchers(egiftBrands, 'egift'), ...vouchers(serviceBrands, 'services'), ...merchandise()];
  for (const item of items) {
    const id = nextNumber(tx, 'items');
    const stock = 40 + random.integer(460);
    tx.put('items', orderedKey(id), { ...item, id, status: 1, stock, qty_trigger_limit: 20 });
  }
}

/** Adds uncommon items that real catalogues also contain, such as inactive or out-of-stock items (OP-163). */
export function seedUncommon(tx: PlatformTx): void {
  for (const [sku_code, skus, priceInr, vendor, more] of uncommon) {
    const id = nextNumber(tx, 'items');
    const product_type = sku_code.startsWith('EGV') ? 'EGV' : 'PHYSICAL';
    const item = { sku_code, skus, priceInr, vendor, ...more };
    tx.put('items', orderedKey(id), { id, product_type, status: 1, stock: 60, qty_trigger_limit: 20, ...item });
  }
}

type Seeded = Omit<Item, 'id' | 'status' | 'stock' | 'qty_trigger_limit'>;

function vouchers(brands: readonly (readonly [string, string])[], vendor: VendorName): Seeded[] {
  return brands.flatMap(([code, name]) =>
    denominations.map((priceInr) => ({
      product_type: 'EGV' as const,
      sku_code: `EGV-${code}-${priceInr}`,
      skus: `${name} e-gift voucher ${priceInr}`,
      priceInr,
      vendor,
    })),
  );
}

function merchandise(): Seeded[] {
  return products.flatMap(([code, name, priceInr]) =>
    colours.map((colour, index) => ({
      product_type: 'PHYSICAL' as const,
      sku_code: `PHY-${code}-${digits(index + 1, 2)}`,
      skus: `${name}, ${colour}`,
      priceInr,
      vendor: 'merchandise' as const,
    })),
  );
}

/** The first id of unlisted items, outside the range of listed items. */
const firstId = 900_001;
const plenty = 999_999_999;

/** Adds the magic items to the catalogue. Existing items do not change. Returns the new items. */
export function seedMagicItems(tx: PlatformTx, rows: readonly MagicItem[]): readonly MagicItem[] {
  const missing = rows.filter(({ value }) => tx.get('unlisted', value) === undefined);
  for (const row of missing) {
    const { value, physical = false, stock = plenty } = row;
    tx.put('unlisted', value, {
      id: firstId + rows.indexOf(row),
      product_type: physical ? 'PHYSICAL' : 'EGV',
      sku_code: value,
      status: stock === 0 ? 2 : 1,
      skus: `Magic ${physical ? 'product' : 'e-gift voucher'} ${value}`,
      priceInr: 100,
      stock,
      qty_trigger_limit: 20,
      vendor: physical ? 'merchandise' : 'egift',
    });
  }
  return missing;
}

/** A past one-line order in the demo data, with its outcome. `remark` is the reason for the rejection. */
interface PastOrder extends Pick<Line, 'uid' | 'order_id' | 'redeemCode' | 'quantity' | 'remark'> {
  readonly at: number;
  readonly sku: string;
  readonly partnerCode: string;
  readonly vouchers: readonly VendorVoucher[];
  readonly end: OrderStatus;
}

/** Milliseconds from an order to its end: the vendors' default delay (OP-35). */
const untilEnd = 2_000;

/** Stores a past payment. */
export function seedPayment(
  tx: PlatformTx,
  { uid, at, transactionId, paymentAmount }: Pick<Payment, 'uid' | 'at' | 'transactionId' | 'paymentAmount'>,
): Payment {
  const paise = parseAmount(paymentAmount);
  if (paise === undefined) throw new RangeError(`${paymentAmount} is not an amount`);
  const points = earnedPoints(paise, defaultSettings);
  const fingerprint = digest(JSON.stringify([uid, 'DIGITAL_PAYMENT', paise.toString(), null]));
  const payment = { uid, transactionId, paymentAmount, points, fingerprint, at };
  tx.add('payments', transactionId, payment);
  return payment;
}

/**
 * Stores a past order in its final state, with its vouchers. It predates the activity log, so it has no sequence number
 * and lists of placed orders omit it (OP-84, OP-162).
 */
export function seedOrder(tx: PlatformTx, past: PastOrder): Line {
  const { uid, at, order_id, redeemCode, vouchers, end } = past;
  const line = lineOf(tx, past);
  const placing = { order_id, uid, door: 'v1', reference_id: null, state: 'placing' as OrderState } as const;
  const order = { ...placing, redeemCodes: [redeemCode], created: at, seq: 0, trace: digest(order_id).slice(0, 32) };
  const updated = end === 'Pending' ? at : at + untilEnd;
  tx.add('orders', order_id, { ...evolve(order, { type: 'placed', fulfil: [redeemCode] }), updated });
  tx.add('lines', redeemCode, line);
  const issue = { issued: updated, ...defaultSettings };
  for (const voucher of vouchers) {
    tx.add('vouchers', voucher.voucherCode, voucherRecord(line, voucher, past.partnerCode, issue));
  }
  return line;
}

/** Returns the line after its events. */
function lineOf(tx: PlatformTx, past: PastOrder): Line {
  const { uid, order_id, redeemCode, sku, quantity, partnerCode, vouchers, end, remark } = past;
  const item = itemOf(tx, sku);
  if (item === undefined) throw new Error(`the demo catalogue has no ${sku}`);
  const { sku_code, product_type, skus: product_name, priceInr, stock } = item;
  const points = linePoints({ product_type, priceInr, quantity }, defaultSettings);
  const facts = { redeemCode, order_id, uid, sku_code, product_type, product_name, priceInr, quantity, points };
  const line: Line = { ...facts, ...newLine };
  if (end === 'Pending') return line;
  if (end === 'Rejected') return evolveLine(line, { type: 'rejected', remark });
  return evolveLine(evolveLine(line, { type: 'delivered', partnerCode, vouchers, stock }), { type: 'acknowledged' });
}

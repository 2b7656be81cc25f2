// One locale only: the package's main entry loads all of them, which takes longer than all else at start.
import { faker } from '@faker-js/faker/locale/en_IN';
import type { Profile } from './collections.ts';

/** Cities with the first digits of their pincodes and the state codes that GST gives them. */
const places = [
  { city: 'Bengaluru', state: 29, pin: 560001 },
  { city: 'Mumbai', state: 27, pin: 400001 },
  { city: 'Pune', state: 27, pin: 411001 },
  { city: 'Chennai', state: 33, pin: 600001 },
  { city: 'Hyderabad', state: 36, pin: 500001 },
  { city: 'New Delhi', state: 7, pin: 110001 },
  { city: 'Kolkata', state: 19, pin: 700001 },
  { city: 'Jaipur', state: 8, pin: 302001 },
  { city: 'Ahmedabad', state: 24, pin: 380001 },
  { city: 'Kochi', state: 32, pin: 682001 },
] as const;

const streets = ['Lake View Road', 'Station Road', 'Gandhi Marg', 'Temple Street', 'Market Lane', 'Ring Road'];
const quarters = ['Green Park', 'Lakeside', 'Old Town', 'Sunrise Colony', 'Garden Enclave'];

/** The project that all customers of a sandbox belong to. */
export interface Project {
  readonly projectCode: string;
  readonly projectName: string;
  readonly projectId: number;
}

/**
 * The kind of mobile numbers and PANs of demo customers: impossible ones belong to nobody, plausible ones pass
 * validators and may belong to a real person (OP-163).
 */
export type DemoData = 'impossible' | 'plausible';

/**
 * An invented customer: the same uid gives the same profile under the same seed. Where the demo data is impossible, the
 * PAN has a fourth letter that is never issued, and the mobile number a first digit that no Indian mobile number has.
 */
export function makeProfile(uid: string, seed: number, project: Project, demoData: DemoData = 'impossible'): Profile {
  const key = JSON.stringify([uid, seed, project, demoData]);
  const made = newest.get(key) ?? {
    ...draw(uid, seed, project),
    ...(demoData === 'plausible' && plausible(uid, seed, project)),
  };
  // Moves it to the end: the least recently used profile is first.
  newest.delete(key);
  newest.set(key, made);
  const [oldest] = newest.keys();
  if (newest.size > mostKept && oldest !== undefined) newest.delete(oldest);
  return made;
}

/** Cached profiles: those of the demo customers are the same in every workspace of a seed. */
const mostKept = 100;
const newest = new Map<string, Profile>();

/** Mobile number and PAN with the digits and letters of the impossible ones, in the form of real ones. */
function plausible(uid: string, seed: number, project: Project): Pick<Profile, 'mobileNo' | 'pan'> {
  const { name, mobileNo, pan } = draw(uid, seed, project);
  // A person's PAN has a P, then the first letter of the surname; no PAN has the number 0000.
  const initial = name.slice(name.lastIndexOf(' ') + 1, name.lastIndexOf(' ') + 2).toUpperCase();
  const number = pan.slice(5, 9) === '0000' ? '0001' : pan.slice(5, 9);
  return {
    mobileNo: `${6 + (Number(mobileNo.at(-1)) % 4)}${mobileNo.slice(1)}`,
    pan: `${pan.slice(0, 3)}P${initial}${number}${pan.slice(9)}`,
  };
}

function draw(uid: string, seed: number, project: Project): Profile {
  faker.seed(seed);
  const firstName = faker.person.firstName();
  const lastName = faker.person.lastName();
  const place = faker.helpers.arrayElement(places);
  const letters = () => faker.string.alpha({ length: 1, casing: 'upper' });
  return {
    uid,
    name: `${firstName} ${lastName}`,
    email: `${firstName}.${lastName}@example.com`.toLowerCase().replace(/[^a-z.@]/g, ''),
    mobileNo: `5${faker.string.numeric(9)}`,
    dob: date(1955, 2004),
    address1: `${faker.number.int({ min: 1, max: 240 })} ${faker.helpers.arrayElement(streets)}`,
    address2: faker.helpers.arrayElement(quarters),
    city: place.city,
    pincode: place.pin + faker.number.int({ min: 0, max: 98 }),
    state: place.state,
    cus_type: 'INDIVIDUAL',
    partnerType: 'RETAIL',
    pan: `${letters()}${letters()}${letters()}X${letters()}${faker.string.numeric(4)}${letters()}`,
    panVerifiedStatus: faker.helpers.arrayElement(['VERIFIED', 'PENDING']),
    // Drawn last: what is drawn before it stays as it was.
    mdate: faker.helpers.maybe(() => date(1980, 2024), { probability: 0.25 }) ?? '',
    ...project,
  };
}

/** A day of these years, as day/month/year. */
function date(min: number, max: number): string {
  const [day, month] = [28, 12].map((most) => pad(faker.number.int({ min: 1, max: most })));
  return `${day}/${month}/${faker.number.int({ min, max })}`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

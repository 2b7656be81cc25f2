// Import a single locale. The package's main entry loads all locales, which would dominate startup time.
import { faker } from '@faker-js/faker/locale/en_IN';
import { digits } from '../runtime/ids.ts';
import type { Profile } from './collections.ts';

/** Cities, with their GST state codes and the lowest pincode to draw from. */
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

/** The project that all customers of a workspace belong to. */
export interface Project {
  readonly projectCode: string;
  readonly projectName: string;
  readonly projectId: number;
}

/**
 * The kind of mobile numbers and PANs in demo data. Impossible ones belong to nobody. Plausible ones pass validators
 * and may belong to a real person (OP-163).
 */
export type DemoData = 'impossible' | 'plausible';

/**
 * Generates a customer profile. The result depends only on the arguments. An impossible PAN has a fourth letter that is
 * never issued, and an impossible mobile number has a first digit that no Indian mobile number has.
 */
export function makeProfile(uid: string, seed: number, project: Project, demoData: DemoData = 'impossible'): Profile {
  const key = JSON.stringify([uid, seed, project, demoData]);
  const made = newest.get(key) ?? {
    ...draw(uid, seed, project),
    ...(demoData === 'plausible' && plausible(uid, seed, project)),
  };
  // Move the profile to the end: the least recently used one is first.
  newest.delete(key);
  newest.set(key, made);
  const [oldest] = newest.keys();
  if (newest.size > mostKept && oldest !== undefined) newest.delete(oldest);
  return made;
}

/** Maximum number of cached profiles. All workspaces with the same seed share the demo customers' profiles. */
const mostKept = 100;
const newest = new Map<string, Profile>();

/** Returns a mobile number and a PAN in a valid format, derived from the impossible ones. */
function plausible(uid: string, seed: number, project: Project): Pick<Profile, 'mobileNo' | 'pan'> {
  const { name, mobileNo, pan } = draw(uid, seed, project);
  // A person's PAN has a P, then the first letter of the surname. No PAN has the number 0000.
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
    // Drawn last, so that all earlier draws stay the same.
    mdate: faker.helpers.maybe(() => date(1980, 2024), { probability: 0.25 }) ?? '',
    ...project,
  };
}

/** Returns a random date in a range of years, as day/month/year. */
function date(min: number, max: number): string {
  const [day, month] = [28, 12].map((most) => digits(faker.number.int({ min: 1, max: most }), 2));
  return `${day}/${month}/${faker.number.int({ min, max })}`;
}

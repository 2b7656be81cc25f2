/** Runs once before the tests of a suite: pages of the dashboard need its build. */
import { buildDashboard, isUpToDate } from '../tools/dashboard/bundle.ts';

export default async function build(): Promise<void> {
  if (!isUpToDate()) await buildDashboard();
}

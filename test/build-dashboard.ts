/** Builds the dashboard once before a suite's tests, because the dashboard's pages need it. */
import { buildDashboard, isUpToDate } from '../tools/dashboard/bundle.ts';

export default async function build(): Promise<void> {
  if (!isUpToDate()) await buildDashboard();
}

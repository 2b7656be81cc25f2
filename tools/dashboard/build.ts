/**
 * Builds the dashboard into `generated/dashboard/browser`. Usage: `node tools/dashboard/build.ts [--if-changed]`; with
 * `--if-changed` it does nothing when the build is up to date.
 */
import { argv } from 'node:process';
import { buildDashboard, isUpToDate } from './bundle.ts';

if (!argv.includes('--if-changed') || !isUpToDate()) await buildDashboard();

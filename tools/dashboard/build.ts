/**
 * Builds the dashboard into `generated/dashboard/browser`. Usage: `node tools/dashboard/build.ts [--if-changed]`. With
 * `--if-changed`, does nothing if the build is up to date.
 */
import { argv } from 'node:process';
import { buildDashboard, isUpToDate } from './bundle.ts';

if (!argv.includes('--if-changed') || !isUpToDate()) await buildDashboard();

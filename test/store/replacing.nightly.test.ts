import { replacementCrashes } from './replacement-crashes.ts';

replacementCrashes(1);

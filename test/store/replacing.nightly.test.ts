import { replacementCrashes } from './replacement-crashes.ts';

replacementCrashes();

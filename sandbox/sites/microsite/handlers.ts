import type { operations } from '../../../generated/microsite/types.ts';
import type { Handlers } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Guest, Microsite } from './microsite.ts';
import { checkCode } from './operations/checkCode.ts';
import { enterRewards } from './operations/enterRewards.ts';
import { leaveMicrosite } from './operations/leaveMicrosite.ts';
import { requestCode } from './operations/requestCode.ts';
import { resendCode } from './operations/resendCode.ts';
import { showCode } from './operations/showCode.ts';
import { showHome } from './operations/showHome.ts';
import { showSignIn } from './operations/showSignIn.ts';

/** One handler for each operation of microsite.yaml. */
export const micrositeHandlers: Handlers<operations, Microsite, Guest, WebFailure, typeof pageTable> = {
  showSignIn,
  requestCode,
  showCode,
  checkCode,
  resendCode,
  showHome,
  enterRewards,
  leaveMicrosite,
};

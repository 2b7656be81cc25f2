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
export function micrositeHandlers(microsite: Microsite): Handlers<operations, Guest, WebFailure, typeof pageTable> {
  return {
    showSignIn: (call) => showSignIn(microsite, call),
    requestCode: (call) => requestCode(microsite, call),
    showCode: (call) => showCode(microsite, call),
    checkCode: (call) => checkCode(microsite, call),
    resendCode: (call) => resendCode(microsite, call),
    showHome: (call) => showHome(microsite, call),
    enterRewards: (call) => enterRewards(microsite, call),
    leaveMicrosite: (call) => leaveMicrosite(microsite, call),
  };
}

import { kills } from './matrix.ts';

kills('creditPoints');
kills('saveRedeemDetails');
kills('updateRedeemStatus');

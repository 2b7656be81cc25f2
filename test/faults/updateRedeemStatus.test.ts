import { matrix } from './matrix.ts';

matrix('updateRedeemStatus');

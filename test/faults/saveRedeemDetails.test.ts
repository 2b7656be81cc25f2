import { matrix } from './matrix.ts';

matrix('saveRedeemDetails');

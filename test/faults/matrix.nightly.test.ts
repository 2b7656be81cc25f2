import { describe } from 'vitest';
import { kills, matrix } from './matrix.ts';

describe.each(['creditPoints', 'saveRedeemDetails', 'updateRedeemStatus'] as const)('%s', (operation) => {
  matrix(operation);
  kills(operation, ['reply lost after commit']);
});

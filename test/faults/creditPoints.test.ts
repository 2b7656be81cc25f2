import { matrix } from './matrix.ts';

matrix('creditPoints');

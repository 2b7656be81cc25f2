import { exampleSuite } from './suite.ts';

exampleSuite('go');

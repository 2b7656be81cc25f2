import { exampleSuite } from './suite.ts';

exampleSuite('node');

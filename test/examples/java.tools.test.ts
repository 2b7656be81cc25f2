import { exampleSuite } from './suite.ts';

exampleSuite('java');

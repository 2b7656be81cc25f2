import { exampleSuite } from './suite.ts';

exampleSuite('python');

import { exampleSuite } from './suite.ts';

exampleSuite('php');

import { readmeSteps } from './readme.ts';
import { exampleSuite } from './suite.ts';

exampleSuite('node');
readmeSteps('node');

import { takeovers } from './takeovers.ts';

takeovers(1);

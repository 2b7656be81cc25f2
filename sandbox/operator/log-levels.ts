/** From which weight on lines are written: every call, warnings and calls that failed with a 5xx, or only those calls. */
export const logLevels = ['info', 'warn', 'error'] as const;

export type LogLevel = (typeof logLevels)[number];

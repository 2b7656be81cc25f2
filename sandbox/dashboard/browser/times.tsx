/** Sandbox times in the viewer's time zone, with UTC on hover. The log and the control API use UTC. */

const two = (number: number) => String(number).padStart(2, '0');

/** Formats the date and time of an ISO 8601 timestamp, such as `2026-01-12 09:30:05`. */
export function dateTime(at: string) {
  const date = new Date(at);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${timeOfDay(at)}`;
}

/** Formats the time of day of an ISO 8601 timestamp, such as `09:30:05`; with milliseconds if `precise`. */
export function timeOfDay(at: string, precise = false) {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return precise ? `${time}.${String(date.getMilliseconds()).padStart(3, '0')}` : time;
}

/** Formats a timestamp in UTC, for comparison with the log. */
export function inUtc(at: string) {
  return `${at.slice(0, 23).replace('T', ' ')} UTC`;
}

/** Returns the viewer's time zone, such as `Asia/Kolkata (UTC+05:30)`. */
export function zone() {
  const minutes = -new Date().getTimezoneOffset();
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (minutes === 0) return 'UTC';
  const offset = `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${name} (${offset})`;
}

/** A date and time. */
export function When({ at }: { at: string }) {
  return (
    <time datetime={at} title={inUtc(at)}>
      {dateTime(at)}
    </time>
  );
}

/** A time of day; with milliseconds if `precise`. */
export function Time({ at, precise = false }: { at: string; precise?: boolean }) {
  return (
    <time datetime={at} title={inUtc(at)}>
      {timeOfDay(at, precise)}
    </time>
  );
}

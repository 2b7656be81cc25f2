// @ts-check
/** How points and lengths of time are written. */
import { html } from './html.js';

/**
 * Points with their unit, such as `1,250 points`.
 * @param {number} points
 */
export function amount(points) {
  return `${figure(points)} ${points === 1 ? 'point' : 'points'}`;
}

/** @param {number} points */
export function figure(points) {
  return points.toLocaleString('en-IN');
}

/**
 * What a change adds or takes, with its sign.
 * @param {number} points
 */
export function signed(points) {
  return `${points < 0 ? '−' : '+'}${figure(Math.abs(points))}`;
}

/**
 * A length of time in words, such as `6 min 40 s`.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const parts = /** @type {const} */ ([
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]);
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return words.slice(0, 2).join(' ') || '0 s';
}

/**
 * The state of a redemption or an order in colour and in words.
 * @param {{ state: string }} given
 */
export function State({ state }) {
  const looks = /** @type {Readonly<Record<string, string>>} */ ({
    Delivered: 'redeemed',
    Redeemed: 'redeemed',
    Earned: 'earned',
    Rejected: 'reversed',
    Refused: 'reversed',
    Reversed: 'reversed',
  });
  return html`<span class=${`badge ${looks[state] ?? ''}`}>${state}</span>`;
}

/** Text without control characters, bidi marks and invisible characters, which could deceive the person who reads it. No space at its ends. */
export const VISIBLE = /^(?!\s)[^\p{C}\p{Zl}\p{Zp}]+(?<!\s)$/u;
export const VISIBLE_RULE = 'must have only visible characters, and no space at its ends';

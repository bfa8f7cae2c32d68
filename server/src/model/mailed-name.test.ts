import { expect, it } from 'vitest';
import { mailedName } from './mailed-name.js';

it.each(['Example AG', 'Dr. Oetker & Söhne', 'Müller / Huber', 'Zürich (24 h)', '株式会社テスト'])(
  'a name without an address is in mails as it is: %s [members/mail-to-strangers]',
  (name) => {
    expect(mailedName(name)).toBe(name);
  },
);

it.each([
  'You won, see evil.example/now',
  'https://evil',
  'evil．example',
  'evil。example',
  'mail me at a@b',
  '//evil',
  'Www evil',
  '１９２．０．２．１',
])('a name with an address is in no mail: %s [members/mail-to-strangers]', (name) => {
  expect(mailedName(name)).toBeUndefined();
});

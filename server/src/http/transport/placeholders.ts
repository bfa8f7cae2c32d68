import type { Config } from '../../base/config/config.js';

const PLACEHOLDER = /\{\{(base-url|product-name|support-url)\}\}/g;

/** Writes the server's own address, its name and where it gives support, which the build does not know, into the text of a built file. */
export const fillPlaceholders = (
  file: string,
  text: string,
  { baseUrl, product, supportUrl = '' }: Pick<Config, 'baseUrl' | 'product' | 'supportUrl'>,
): string =>
  text.replace(PLACEHOLDER, (_, name) =>
    name === 'base-url' ? baseUrl : escapeFor(file, name === 'support-url' ? supportUrl : product.name),
  );

/** A text as a part of HTML or XML, inside the quotes of a script or JSON, or as it is. */
function escapeFor(file: string, text: string): string {
  if (/\.(html|xml)$/.test(file))
    return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return /\.(js|webmanifest)$/.test(file) ? JSON.stringify(text).slice(1, -1) : text;
}

import MiniSearch, { type SearchOptions } from 'minisearch';
import { excerptOf, markedPieces, type Piece } from './excerpt';
import INDEX from './search-index.json';

const MAX_RESULTS = 12;
const SEARCH: SearchOptions = {
  boost: { title: 4, page: 2 },
  combineWith: 'AND',
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
};
let index: Promise<MiniSearch> | undefined;

/** Ranks guides above the reference, unless the query contains a path, and whole pages above their sections. */
const boostFor = (words: string) => (address: string) =>
  (address.includes('#') ? 1 : 2) *
  (address.startsWith('/docs/reference') ? (words.includes('/') ? 4 : 0.4) : 1);

async function load(): Promise<MiniSearch> {
  const reply = await fetch('/docs/search.json');
  if (!reply.ok) throw new Error(`The search index returned ${reply.status}.`);
  return MiniSearch.loadJSONAsync(await reply.text(), INDEX);
}

/** Adds the search to the header. It needs JavaScript, so its place is hidden without. The index is loaded on first use. */
export function addSearch(): void {
  const container = document.querySelector<HTMLElement>('search');
  if (!container) return;
  container.innerHTML = `<label class="visually-hidden" for="search">Search the documentation</label>
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false"
      aria-describedby="found" aria-keyshortcuts="/ Control+K Meta+K"><kbd aria-hidden="true">/</kbd>
    <div class="results" hidden><p id="found" role="status"></p><ul aria-label="Results"></ul></div>`;
  const input = container.querySelector('input') as HTMLInputElement;
  input.addEventListener('input', () => void show(container, input.value.trim()));
  container.addEventListener('keydown', (event) => move(container, input, event));
  container.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && container.contains(relatedTarget))) hide(container);
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
    const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut && (event.key !== '/' || isTyping)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

const hide = (container: HTMLElement) => {
  (container.querySelector('.results') as HTMLElement).hidden = true;
};

async function show(container: HTMLElement, words: string): Promise<void> {
  const input = container.querySelector('input') as HTMLInputElement;
  const status = container.querySelector('p') as HTMLElement;
  const list = container.querySelector('ul') as HTMLElement;
  if (words === '') return hide(container);
  try {
    index ??= load();
    const found = (await index).search(words, { ...SEARCH, boostDocument: boostFor(words) });
    if (input.value.trim() !== words) return;
    status.textContent = found.length === 0 ? `No results for “${words}”.` : countOf(found.length);
    list.replaceChildren(
      ...found
        .slice(0, MAX_RESULTS)
        .map(({ id, title, page, start, terms }) => result(id, { title, page, start, terms })),
    );
  } catch {
    index = undefined;
    status.textContent = 'The search index could not be loaded. Continue typing to try again.';
    list.replaceChildren();
  }
  (container.querySelector('.results') as HTMLElement).hidden = false;
}

const countOf = (count: number) =>
  count === 1
    ? 'One section'
    : count <= MAX_RESULTS
      ? `${count} sections`
      : `The first ${MAX_RESULTS} of ${count} sections`;

/** What the index has of a section. */
interface Section {
  readonly title: string;
  /** Empty for the page itself. */
  readonly page: string;
  readonly start: string;
  /** The words of the section that match. */
  readonly terms: readonly string[];
}

function result(address: string, { title, page, start, terms }: Section): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.append(line('strong', markedPieces(title, terms)));
  if (page !== '') link.append(line('small', [{ text: page, isMatch: false }]));
  if (start !== '') link.append(line('span', excerptOf(start, terms)));
  item.append(link);
  return item;
}

function line(name: 'strong' | 'small' | 'span', pieces: readonly Piece[]): HTMLElement {
  const element = document.createElement(name);
  for (const { text, isMatch } of pieces) {
    if (!isMatch) element.append(text);
    else {
      const mark = document.createElement('mark');
      mark.textContent = text;
      element.append(mark);
    }
  }
  return element;
}

/** The arrow keys move through the results, Enter opens the first one, and Escape closes them. */
function move(container: HTMLElement, input: HTMLInputElement, event: KeyboardEvent): void {
  const stops = [input, ...container.querySelectorAll<HTMLElement>('.results:not([hidden]) a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  } else if (event.key === 'Escape') {
    event.preventDefault();
    if ((container.querySelector('.results') as HTMLElement).hidden) input.blur();
    else input.focus();
    hide(container);
  } else if (event.key === 'Enter' && event.target === input) stops[1]?.click();
}

import MiniSearch, { type SearchOptions } from 'minisearch';
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

/** Adds the search to the header. It needs JavaScript, so it is hidden without. The index is loaded on first use. */
export function addSearch(): void {
  const container = document.querySelector<HTMLElement>('search');
  if (!container) return;
  container.innerHTML = `<label class="visually-hidden" for="search">Search the documentation</label>
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="found">
    <div class="results" hidden><p id="found" role="status"></p><ul aria-label="Results"></ul></div>`;
  container.hidden = false;
  const input = container.querySelector('input') as HTMLInputElement;
  input.addEventListener('input', () => void show(container, input.value.trim()));
  container.addEventListener('keydown', (event) => move(container, input, event));
  container.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && container.contains(relatedTarget))) hide(container);
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
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
      ...found.slice(0, MAX_RESULTS).map(({ id, title, page }) => result(id, title, page)),
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

function result(address: string, title: string, page: string): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  const name = document.createElement('span');
  name.textContent = title;
  link.append(name);
  if (page !== '') {
    const small = document.createElement('small');
    small.textContent = page;
    link.append(small);
  }
  item.append(link);
  return item;
}

/** The arrow keys move through the results, Enter opens the first one, and Escape closes them. */
function move(container: HTMLElement, input: HTMLInputElement, event: KeyboardEvent): void {
  const stops = [input, ...container.querySelectorAll<HTMLElement>('.results:not([hidden]) a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  } else if (event.key === 'Escape') {
    input.focus();
    hide(container);
  } else if (event.key === 'Enter' && event.target === input) stops[1]?.click();
}

import MiniSearch, { type SearchOptions } from 'minisearch';
import INDEX from './search-index.json';

const MOST = 12;
const SEARCH: SearchOptions = {
  boost: { title: 4, page: 2 },
  combineWith: 'AND',
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
};
let index: Promise<MiniSearch> | undefined;

/** Guides come before the reference unless a path is looked for, and whole pages before their sections. */
const weigh = (words: string) => (address: string) =>
  (address.includes('#') ? 1 : 2) *
  (address.startsWith('/docs/reference') ? (words.includes('/') ? 4 : 0.4) : 1);

async function load(): Promise<MiniSearch> {
  const reply = await fetch('/docs/search.json');
  if (!reply.ok) throw new Error(`The search index was answered with ${reply.status}.`);
  return MiniSearch.loadJSONAsync(await reply.text(), INDEX);
}

/** The search of the header: it is there with scripts alone, and its index is loaded when somebody begins to search. */
export function addSearch(): void {
  const place = document.querySelector<HTMLElement>('search');
  if (!place) return;
  place.innerHTML = `<label class="visually-hidden" for="search">Search the documentation</label>
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="found">
    <div class="results" hidden><p id="found" role="status"></p><ul aria-label="Results"></ul></div>`;
  place.hidden = false;
  const input = place.querySelector('input') as HTMLInputElement;
  input.addEventListener('input', () => void show(place, input.value.trim()));
  place.addEventListener('keydown', (event) => move(place, input, event));
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) hide(place);
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
}

const hide = (place: HTMLElement) => {
  (place.querySelector('.results') as HTMLElement).hidden = true;
};

async function show(place: HTMLElement, words: string): Promise<void> {
  const input = place.querySelector('input') as HTMLInputElement;
  const said = place.querySelector('p') as HTMLElement;
  const list = place.querySelector('ul') as HTMLElement;
  if (words === '') return hide(place);
  try {
    index ??= load();
    const found = (await index).search(words, { ...SEARCH, boostDocument: weigh(words) });
    if (input.value.trim() !== words) return;
    said.textContent = found.length === 0 ? `Nothing is found for “${words}”.` : countOf(found.length);
    list.replaceChildren(...found.slice(0, MOST).map(({ id, title, page }) => result(id, title, page)));
  } catch {
    index = undefined;
    said.textContent = 'The search index could not be loaded. Type on to try again.';
    list.replaceChildren();
  }
  (place.querySelector('.results') as HTMLElement).hidden = false;
}

const countOf = (count: number) =>
  count === 1
    ? 'One section'
    : count <= MOST
      ? `${count} sections`
      : `The first ${MOST} of ${count} sections`;

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

/** Up and down go through the results, and Escape back to the field or out of it. */
function move(place: HTMLElement, input: HTMLInputElement, event: KeyboardEvent): void {
  const stops = [input, ...place.querySelectorAll<HTMLElement>('.results:not([hidden]) a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  } else if (event.key === 'Escape') {
    input.focus();
    hide(place);
  } else if (event.key === 'Enter' && event.target === input) stops[1]?.click();
}

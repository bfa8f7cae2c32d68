/** Marks the section that is being read in the outline of the page. */
export function followOutline(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('#on-this-page a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  const headings = [...document.querySelectorAll<HTMLElement>('.article :is(h2, h3)[id]')].filter(({ id }) =>
    links.has(id),
  );
  if (headings.length === 0) return;
  const update = () => {
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    const current = atEnd ? headings.at(-1) : passed.at(-1);
    for (const [id, link] of links)
      if (id === current?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  };
  let isDue = false;
  addEventListener(
    'scroll',
    () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        update();
      });
    },
    { passive: true },
  );
  update();
}

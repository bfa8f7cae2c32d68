// Makes server/assets/whitepaper.pdf from scripts/generate/whitepaper-text.mjs. The same text gives the same file.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { root } from '../setup.mjs';
import { blocks, subtitle, title } from './whitepaper-text.mjs';

const INK = '#1b1f24';
const SOFT = '#57606a';
const LINE = '#d0d7de';
const TINT = '#f3f5f7';
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 523, 76, 756]; // points on A4, which is 595 by 842
const WIDTH = RIGHT - LEFT;
const BODY = 10.5;

const doc = new PDFDocument({
  size: 'A4',
  margins: { top: TOP, bottom: 842 - BOTTOM, left: LEFT, right: 595 - RIGHT },
  bufferPages: true,
  autoFirstPage: true,
  lang: 'en',
  displayTitle: true,
  info: { Title: title, Subject: subtitle, CreationDate: new Date('2026-05-12T00:00:00Z') },
});
const written = pipeline(doc, createWriteStream(join(root, 'server/assets/whitepaper.pdf')));

const draw = {
  section(/** @type {string} */ text) {
    // A heading stays with the first lines of what follows.
    room(86);
    doc.moveDown(0.9);
    doc.font('Helvetica-Bold').fontSize(14).fillColor(INK).text(text, LEFT, doc.y, { width: WIDTH });
    doc.moveDown(0.45);
  },
  text(/** @type {string} */ text) {
    body().text(text, LEFT, doc.y, { width: WIDTH, lineGap: 3 });
    doc.moveDown(0.65);
  },
  formula(/** @type {string} */ text) {
    boxed(text, 'Courier', 9.5, { fill: TINT, bar: undefined });
  },
  note(/** @type {string} */ text) {
    boxed(text, 'Helvetica', BODY, { fill: TINT, bar: INK });
  },
  list(/** @type {string[]} */ items) {
    for (const item of items) {
      room(height(item, WIDTH - 16) + 2);
      const y = doc.y;
      doc.circle(LEFT + 3.5, y + 5.5, 1.6).fill(SOFT);
      body().text(item, LEFT + 16, y, { width: WIDTH - 16, lineGap: 3 });
      doc.moveDown(0.4);
    }
    doc.moveDown(0.2);
  },
  /** @param {{ widths: number[], head: string[], rows: string[][] }} table */
  table({ widths, head, rows }) {
    room(110);
    row(head, widths, 'Helvetica-Bold');
    for (const cells of rows) row(cells, widths, 'Helvetica');
    doc.y += 12;
  },
};

cover();
for (const block of blocks) {
  if (block.kind === 'list') draw.list(block.items);
  else if (block.kind === 'table') draw.table(block);
  else draw[block.kind](block.text);
}
footers();
doc.end();
await written;

function body() {
  return doc.font('Helvetica').fontSize(BODY).fillColor(INK);
}

function height(/** @type {string} */ text, /** @type {number} */ width) {
  return doc.heightOfString(text, { width, lineGap: 3 });
}

/** Begins a page when less than that is left on this one. */
function room(/** @type {number} */ points) {
  if (doc.y + points > BOTTOM) doc.addPage();
}

function cover() {
  doc.font('Helvetica-Bold').fontSize(23).fillColor(INK).text(title, LEFT, TOP, { width: WIDTH });
  doc.moveDown(0.25);
  doc.font('Helvetica').fontSize(12.5).fillColor(SOFT).text(subtitle, { width: WIDTH, lineGap: 2 });
  doc.moveDown(1);
  doc.moveTo(LEFT, doc.y).lineTo(RIGHT, doc.y).lineWidth(0.75).stroke(LINE);
  doc.moveDown(1.2);
}

/** @param {string} text @param {string} font @param {number} size @param {{ fill: string, bar: string | undefined }} look */
function boxed(text, font, size, { fill, bar }) {
  const inner = WIDTH - 28;
  doc.font(font).fontSize(size);
  const tall = height(text, inner) + 18;
  room(tall + 4);
  const y = doc.y;
  doc.rect(LEFT, y, WIDTH, tall).fill(fill);
  if (bar) doc.rect(LEFT, y, 3, tall).fill(bar);
  doc.font(font).fontSize(size).fillColor(INK);
  doc.text(text, LEFT + 14, y + 10, { width: inner, lineGap: 3 });
  doc.x = LEFT;
  doc.y = y + tall + 10;
}

/** @param {string[]} cells @param {number[]} widths @param {string} font */
function row(cells, widths, font) {
  const size = 9.5;
  const gap = 12;
  doc.font(font).fontSize(size);
  const column = (/** @type {number} */ at) => widths[at] * WIDTH - gap;
  const tall = Math.max(
    ...cells.map((cell, at) => doc.heightOfString(cell, { width: column(at), lineGap: 2 })),
  );
  room(tall + 12);
  doc.font(font).fontSize(size).fillColor(INK);
  const y = doc.y + 5;
  let x = LEFT;
  for (const [at, cell] of cells.entries()) {
    doc.text(cell, x, y, { width: column(at), lineGap: 2 });
    x += widths[at] * WIDTH;
  }
  doc.x = LEFT;
  doc.y = y + tall + 4;
  doc
    .moveTo(LEFT, doc.y)
    .lineTo(RIGHT, doc.y)
    .lineWidth(font === 'Helvetica' ? 0.5 : 1)
    .stroke(LINE);
}

/** Written last, when the number of pages is known. */
function footers() {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    // Below the margin text would begin a page of its own.
    doc.page.margins.bottom = 0;
    doc.font('Helvetica').fontSize(8.5).fillColor(SOFT);
    doc.text(title, LEFT, 790, { lineBreak: false });
    doc.text(`${page + 1} / ${count}`, LEFT, 790, { width: WIDTH, align: 'right', lineBreak: false });
  }
}

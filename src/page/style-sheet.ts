/** Styles for a shadow root in any document: of the page, of a frame, of a picture-in-picture window. */

/** A constructed sheet belongs to one document; the browser takes it away from a root that is moved to another one. */
const sheets = new WeakMap<Document, CSSStyleSheet>();

export function applyStyles(root: ShadowRoot, css: string): void {
  const { ownerDocument } = root;
  // A document without a window is not drawn, and jsdom draws nothing.
  if (!ownerDocument.defaultView || !('adoptedStyleSheets' in root)) return;
  let sheet = sheets.get(ownerDocument);
  if (!sheet) {
    sheet = new ownerDocument.defaultView.CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.set(ownerDocument, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [sheet];
}

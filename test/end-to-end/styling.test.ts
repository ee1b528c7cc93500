/** What a page and a browser may change about the look: each part, each custom property, forced colours. Names are the manifest's. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page is given to it whole */
import { CSS_PARTS, CUSTOM_PROPERTIES } from '../../demo/playground/manifest.ts';
import { expect, LONG, test } from './fixtures.ts';
import { openStates } from './states-page.ts';

/** For each property, one of them has its type and is not its default. */
const VALUES = ['rgb(1, 2, 3)', '377px', 'monospace'];

test.describe('the look of the dialer', () => {
  test('lets a page style each part that the manifest names', LONG, async ({ site }) => {
    const { page } = await openStates(site, 'lang=en');
    const unstyled = await page.evaluate((names) => {
      const sheet = new CSSStyleSheet();
      document.adoptedStyleSheets = [sheet];
      const dialers = [...document.querySelectorAll('partner-dialer')];
      return names.filter((name) => {
        sheet.replaceSync(`partner-dialer::part(${name}) { --styled: ${name} }`);
        return !dialers.some((dialer) =>
          [...(dialer.shadowRoot?.querySelectorAll('[part]') ?? [])].some(
            (element) => getComputedStyle(element).getPropertyValue('--styled') === name,
          ),
        );
      });
    }, CSS_PARTS);
    expect(CSS_PARTS.length).toBeGreaterThan(0);
    expect(unstyled).toEqual([]);
  });

  test('changes with each custom property that the manifest names', LONG, async ({ site }) => {
    const { page } = await openStates(site, 'lang=en');
    const names = CUSTOM_PROPERTIES.map(({ name }) => name);
    const changing = await page.evaluate(
      ({ properties, values }) => {
        const LOOK = [
          'color',
          'backgroundColor',
          'fill',
          'stroke',
          'borderTopColor',
          'borderTopLeftRadius',
          'fontFamily',
          'width',
          'outlineColor',
          'boxShadow',
        ] as const;
        // One element of each kind is enough, and only dialers that have one stay: each change restyles all of them.
        const elements = new Map<string, Element>();
        for (const dialer of document.querySelectorAll('partner-dialer')) {
          const known = elements.size;
          for (const element of [dialer, ...(dialer.shadowRoot?.querySelectorAll('*') ?? [])]) {
            const kind = `${element.localName} ${element.getAttribute('class')} ${element.part}`;
            if (!elements.has(kind)) elements.set(kind, element);
          }
          if (elements.size === known) dialer.remove();
        }
        const styles = [...elements.values()].map((element) => getComputedStyle(element));
        const lookOf = (one: CSSStyleDeclaration) => LOOK.map((name) => one[name]).join('|');
        const before = styles.map(lookOf);
        const { style } = document.documentElement;
        const change = (property: string, value: string) => {
          style.setProperty(property, value);
          // Whatever moves is where it ends.
          for (const animation of document.getAnimations()) animation.cancel();
        };
        const isChangedBy = (property: string, value: string) => {
          const own = style.getPropertyValue(property);
          change(property, value);
          const isChanged = styles.some((one, at) => lookOf(one) !== before[at]);
          change(property, own);
          return isChanged;
        };
        return properties.filter((property) => values.some((value) => isChangedBy(property, value)));
      },
      { properties: [...names, '--no-such-property'], values: VALUES },
    );
    expect(changing).toEqual(names);
  });

  test(
    'has a border on every control in forced colours, and what is on has a thicker one',
    LONG,
    async ({ site }) => {
      const agent = await openStates(site, 'lang=en&width=320');
      const { page } = agent;
      await page.emulateMedia({ forcedColors: 'active' });
      const found = await page.evaluate(() => {
        const border = (element: Element) => Number.parseFloat(getComputedStyle(element).borderTopWidth);
        const faceOf = (element: Element) => element.querySelector('.disc') ?? element;
        return [...document.querySelectorAll<HTMLElement>('partner-dialer')].flatMap(
          ({ shadowRoot, dataset }) => {
            const say = (each: Element) =>
              `${dataset['state']}: ${each.getAttribute('aria-label') ?? each.textContent?.trim()}`;
            const controls = [...(shadowRoot?.querySelectorAll('button, select, .display') ?? [])];
            const bare = controls
              .filter((each) => border(faceOf(each)) < 1)
              .map((each) => `${say(each)} has no border`);
            const on = controls.filter((each) =>
              each.matches('[aria-pressed=true], [part=control][aria-expanded=true]'),
            );
            return [
              ...bare,
              ...on
                .filter((each) => border(faceOf(each)) < 2)
                .map((each) => `${say(each)} looks as if it were off`),
            ];
          },
        );
      });
      expect(found).toEqual([]);
    },
  );
});

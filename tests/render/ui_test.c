// ui_test.c: panels: tables, places, events, pictures.

#include "render/context.h"

#include <condyle/error.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

// variables behind a panel
static struct {
  int check, radio, select, slider, integers[2];
  mjtByte byte;
  mjtNum number;
  float fraction;
  char text[mjMAXUITEXT];
} value;

static const mjuiDef TABLE[] = {{mjITEM_SECTION, "First", mjSECT_OPEN, NULL, "AF", 0},
                                {mjITEM_BUTTON, "Push", 1, NULL, "CP", 7},
                                {mjITEM_CHECKINT, "Check", 1, &value.check, " #298", 0},
                                {mjITEM_CHECKBYTE, "Byte", 2, &value.byte, "", 0},
                                {mjITEM_RADIO, "Radio", 1, &value.radio, "one\ntwo\nthree", 0},
                                {mjITEM_SELECT, "Select", 1, &value.select, "red\ngreen\nblue", 0},
                                {mjITEM_SEPARATOR, "More", mjSEPCLOSED, NULL, "", 0},
                                {mjITEM_STATIC, "Hidden", 1, NULL, "text", 0},
                                {mjITEM_SECTION, "Second", mjSECT_CLOSED, NULL, "", 1},
                                {mjITEM_SLIDERINT, "Int", 1, &value.slider, "0 10", 0},
                                {mjITEM_SLIDERNUM, "Num", 1, &value.number, "-1 1", 0},
                                {mjITEM_EDITINT, "Ints", 1, value.integers, "2 0 5 1 1", 0},
                                {mjITEM_EDITFLOAT, "Float", 1, &value.fraction, "1", 0},
                                {mjITEM_EDITTXT, "Text", 1, value.text, "", 0},
                                {mjITEM_RADIOLINE, "Line", 1, &value.radio, "a\nb", 0},
                                {mjITEM_END, "", 0, NULL, "", 0}};

enum {
  PUSH,
  CHECK,
  BYTE,
  RADIO,
  SELECT,
  MORE,
  HIDDEN
};
enum {
  INT,
  NUM,
  INTS,
  FLOAT,
  TEXT
};

typedef struct Panel_ {
  cndGL* gl;
  mjrContext con;
  mjUI* ui;
  mjuiState state;
  int is_byte_enabled;
} Panel;

static int is_enabled(int category, void* data) {
  return category == 2 && ((Panel*)data)->is_byte_enabled;
}

static void set_up(Panel* p) {
  memset(p, 0, sizeof(*p));
  memset(&value, 0, sizeof(value));
  p->gl = context_or_skip(NULL);
  mjr_makeContext(NULL, &p->con, 100);
  mjr_setBuffer(mjFB_OFFSCREEN, &p->con);
  p->ui = calloc(1, sizeof(*p->ui));
  p->ui->spacing = mjui_themeSpacing(0);
  p->ui->color = mjui_themeColor(0);
  p->ui->predicate = is_enabled;
  p->ui->userdata = p;
  p->ui->rectid = 1;
  mjui_add(p->ui, TABLE);
  mjui_resize(p->ui, &p->con);
  mjr_addAux(0, p->ui->width, p->ui->maxheight, 0, &p->con);
  p->state.nrect = 2;
  mjrRect window = {0, 0, 800, 600}, rect = {100, 0, p->ui->width, 600};
  p->state.rect[0] = window;
  p->state.rect[1] = rect;
  mjui_update(-1, -1, p->ui, &p->state, &p->con);
}

static void tear_down(Panel* p) {
  mjui_render(p->ui, &p->state, &p->con);
  assert_int_equal(mjr_getError(), 0);
  free(p->ui);
  mjr_freeContext(&p->con);
  cnd_freeGL(p->gl);
}

static mjuiItem* send(Panel* p, int type) {
  p->state.type = type;
  return mjui_event(p->ui, &p->state, &p->con);
}

// The mouse at a share of a rectangle of the panel.
static void point(Panel* p, mjrRect r, double share) {
  const mjrRect* rect = p->state.rect + 1;
  p->state.x = rect->left + r.left + share * r.width;
  p->state.y =
      rect->bottom + rect->height - p->ui->height + p->ui->scroll + r.bottom + r.height / 2.0;
  p->state.mouserect = 1;
}

static mjuiItem* click(Panel* p, mjrRect r, double share) {
  point(p, r, share);
  p->state.left = 1;
  p->state.button = mjBUTTON_LEFT;
  mjuiItem* pressed = send(p, mjEVENT_PRESS);
  p->state.left = 0;
  mjuiItem* released = send(p, mjEVENT_RELEASE);
  return pressed ? pressed : released;
}

static mjuiItem* key(Panel* p, int code) {
  p->state.key = code;
  return send(p, mjEVENT_KEY);
}

static mjuiItem* item_of(Panel* p, int section, int item) {
  return p->ui->sect[section].item + item;
}

static void tables_become_sections(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  assert_int_equal(p.ui->nsect, 2);
  assert_int_equal(p.ui->sect[0].nitem, 7);
  assert_int_equal(p.ui->sect[0].modifier, 4);
  assert_int_equal(p.ui->sect[0].shortcut, 'F');
  assert_int_equal(p.ui->sect[1].checkbox, 1);
  assert_int_equal(item_of(&p, 0, PUSH)->userid, 7);
  assert_int_equal(item_of(&p, 0, CHECK)->single.shortcut, 298);
  assert_string_equal(item_of(&p, 0, RADIO)->multi.name[2], "three");
  assert_float_equal(item_of(&p, 1, INT)->slider.divisions, 10, 0);
  assert_float_equal(item_of(&p, 1, NUM)->slider.divisions, 200, 0);
  assert_int_equal(item_of(&p, 1, INTS)->edit.nelem, 2);
  assert_true(item_of(&p, 0, HIDDEN)->skip);
  assert_that(p.ui->height, <, p.ui->maxheight);
  mjuiThemeSpacing wide = mjui_themeSpacing(1);
  assert_int_equal(wide.total, 310);
  assert_int_equal(p.ui->width, 270);
  tear_down(&p);
}

// A state that is kept is that of the item before
static void states_are_kept(void** state) {
  (void)state;
  mjUI* ui = calloc(1, sizeof(*ui));
  mjuiDef def[] = {{mjITEM_SECTION, "A", mjPRESERVE + mjSECT_OPEN, NULL, "", 0},
                   {mjITEM_END, "", 0, NULL, "", 0}};
  mjui_add(ui, def);
  assert_int_equal(ui->sect[0].state, mjSECT_OPEN);
  ui->sect[0].state = mjSECT_CLOSED;
  ui->nsect = 0;
  mjui_add(ui, def);
  assert_int_equal(ui->sect[0].state, mjSECT_CLOSED);
  free(ui);
}

static void add_bad(void* def) {
  static mjUI room;
  mjUI* ui = &room;
  ui->nsect = 0;
  const mjuiDef first[] = {{mjITEM_SECTION, "A", 1, NULL, "", 0}, {mjITEM_END, "", 0, NULL, "", 0}};
  mjui_add(ui, first);
  mjui_add(ui, def);
}

static void wrong_tables_are_errors(void** state) {
  (void)state;
  static int number;
  mjuiDef bad[][2] = {
      {{mjITEM_BUTTON, "x", 1, &number, "", 0}, {mjITEM_END, "", 0, NULL, "", 0}},
      {{mjITEM_CHECKINT, "x", 1, NULL, "", 0}, {mjITEM_END, "", 0, NULL, "", 0}},
      {{mjITEM_BUTTON, "x", 1, NULL, "Q", 0}, {mjITEM_END, "", 0, NULL, "", 0}},
      {{mjITEM_SLIDERINT, "x", 1, &number, "5 1", 0}, {mjITEM_END, "", 0, NULL, "", 0}},
      {{mjITEM_EDITINT, "x", 1, &number, "8", 0}, {mjITEM_END, "", 0, NULL, "", 0}},
      {{mjNITEM, "x", 1, NULL, "", 0}, {mjITEM_END, "", 0, NULL, "", 0}},
      {{mjITEM_SECTION, "x", 9, NULL, "", 0}, {mjITEM_END, "", 0, NULL, "", 0}}};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    char error[300] = "";
    assert_int_equal(cnd_try(add_bad, bad[i], error, sizeof(error)), 1);
    assert_non_null(strstr(error, "'x'"));
  }
}

static void clicks_change_values(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  assert_ptr_equal(click(&p, item_of(&p, 0, PUSH)->rect, 0.5), item_of(&p, 0, PUSH));
  assert_ptr_equal(click(&p, item_of(&p, 0, CHECK)->rect, 0.1), item_of(&p, 0, CHECK));
  assert_int_equal(value.check, 1);
  assert_null(click(&p, item_of(&p, 0, BYTE)->rect, 0.1));
  p.is_byte_enabled = 1;
  assert_non_null(click(&p, item_of(&p, 0, BYTE)->rect, 0.1));
  assert_int_equal(value.byte, 1);
  mjrRect upper = item_of(&p, 0, RADIO)->rect;
  upper.bottom += upper.height / 2;
  upper.height /= 2;
  assert_non_null(click(&p, upper, 0.75));
  assert_int_equal(value.radio, 1);

  // what is hidden shows
  click(&p, item_of(&p, 0, MORE)->rect, 0.5);
  assert_false(item_of(&p, 0, HIDDEN)->skip);
  tear_down(&p);
}

static void lists_open_while_the_button_is_down(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  mjuiItem* item = item_of(&p, 0, SELECT);
  point(&p, item->rect, 0.8);
  p.state.left = 1;
  p.state.button = mjBUTTON_LEFT;
  assert_null(send(&p, mjEVENT_PRESS));
  mjui_render(p.ui, &p.state, &p.con);
  int is_below = item->rect.bottom >= 3 * item->rect.height;
  p.state.y += is_below ? -3.0 * item->rect.height : item->rect.height;
  send(&p, mjEVENT_MOVE);
  p.state.left = 0;
  assert_ptr_equal(send(&p, mjEVENT_RELEASE), item);
  assert_int_equal(value.select, 2);
  tear_down(&p);
}

static void sections_open_and_sliders_move(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  click(&p, p.ui->sect[1].rtitle, 0.3);
  assert_int_equal(p.ui->sect[1].state, mjSECT_OPEN);
  mjuiItem* item = item_of(&p, 1, INT);
  assert_ptr_equal(click(&p, item->rect, 0.999), item);
  assert_int_equal(value.slider, 10);
  point(&p, item_of(&p, 1, NUM)->rect, 0.99);
  p.state.left = 1;
  p.state.button = mjBUTTON_LEFT;
  send(&p, mjEVENT_PRESS);
  p.state.x = -1000;
  assert_ptr_equal(send(&p, mjEVENT_MOVE), item_of(&p, 1, NUM));
  assert_float_equal(value.number, -1, 0);
  p.state.left = 0;
  send(&p, mjEVENT_RELEASE);

  // a double click on a title closes and opens all
  p.state.doubleclick = 1;
  p.ui->sect[0].state = mjSECT_CLOSED;
  mjui_resize(p.ui, &p.con);
  click(&p, p.ui->sect[0].rtitle, 0.3);
  assert_int_equal(p.ui->sect[1].state, mjSECT_CLOSED);
  tear_down(&p);
}

// what the box of a title stands for is the program's affair, which is told of the click
static void boxes_of_titles_are_reported(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  mjuiSection* sect = p.ui->sect + 1;
  sect->checkbox = 2;
  assert_null(click(&p, sect->rtitle, 0.05));
  assert_int_equal(p.ui->mousesectcheck, 2);
  assert_int_equal(sect->checkbox, 2);
  assert_int_equal(sect->state, mjSECT_CLOSED);
  assert_int_equal(sect->lastclick, 1);

  // clicks on items leave it, those on titles take it back
  click(&p, item_of(&p, 0, PUSH)->rect, 0.5);
  assert_int_equal(p.ui->mousesectcheck, 2);
  assert_int_equal(p.ui->sect[0].lastclick, 2);
  click(&p, sect->rtitle, 0.5);
  assert_int_equal(p.ui->mousesectcheck, 0);
  assert_int_equal(sect->state, mjSECT_OPEN);
  p.state.mouserect = 0;
  send(&p, mjEVENT_PRESS);
  assert_int_equal(p.ui->mouseclicks, 4);
  tear_down(&p);
}

static void texts_are_edited(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  p.ui->sect[1].state = mjSECT_OPEN;
  mjui_resize(p.ui, &p.con);
  click(&p, item_of(&p, 1, INTS)->rect, 0.8);
  assert_int_equal(p.ui->editsect, 2);
  assert_string_equal(p.ui->edittext, "0 0");
  key(&p, mjKEY_HOME);
  key(&p, mjKEY_DELETE);
  key(&p, '9');
  assert_string_equal(p.ui->edittext, "9 0");
  assert_int_equal(p.state.key, 0);
  // cut to its limits, and on to the next
  assert_ptr_equal(key(&p, mjKEY_TAB), item_of(&p, 1, INTS));
  assert_int_equal(value.integers[0], 5);
  assert_int_equal(p.ui->edititem, FLOAT);
  key(&p, mjKEY_BACKSPACE);
  key(&p, 'X');
  assert_null(key(&p, mjKEY_ENTER));
  assert_float_equal(value.fraction, 0, 0);

  // a click elsewhere takes the text over
  click(&p, item_of(&p, 1, TEXT)->rect, 0.8);
  for (int i = 0; i < mjMAXUITEXT + 10; i++) {
    key(&p, 'A');
  }
  assert_int_equal(strlen(p.ui->edittext), mjMAXUITEXT - 1);
  point(&p, item_of(&p, 0, CHECK)->rect, 0.1);
  p.state.button = mjBUTTON_LEFT;
  send(&p, mjEVENT_PRESS);
  assert_ptr_equal(p.ui->editchanged, item_of(&p, 1, TEXT));
  assert_int_equal(strlen(value.text), mjMAXUITEXT - 1);

  click(&p, item_of(&p, 1, TEXT)->rect, 0.8);
  key(&p, mjKEY_BACKSPACE);
  assert_null(key(&p, mjKEY_ESCAPE));
  assert_int_equal(strlen(value.text), mjMAXUITEXT - 1);
  tear_down(&p);
}

static void shortcuts_do_what_clicks_do(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  p.state.control = 1;
  assert_ptr_equal(key(&p, 'P'), item_of(&p, 0, PUSH));
  assert_int_equal(p.state.key, 0);
  p.state.control = 0;
  assert_null(key(&p, 'P'));
  assert_int_equal(p.state.key, 'P');
  assert_ptr_equal(key(&p, 298), item_of(&p, 0, CHECK));
  assert_int_equal(value.check, 1);
  p.state.alt = 1;
  key(&p, 'F');
  assert_int_equal(p.ui->sect[0].state, mjSECT_CLOSED);
  tear_down(&p);
}

static void panels_are_drawn_and_scrolled(void** state) {
  (void)state;
  Panel p;
  set_up(&p);
  p.state.rect[1].height = 60;
  p.state.mouserect = 1;
  p.state.sy = -1;
  send(&p, mjEVENT_SCROLL);
  assert_int_equal(p.ui->scroll, 30);
  p.state.sy = 100;
  send(&p, mjEVENT_SCROLL);
  assert_int_equal(p.ui->scroll, 0);
  mjrRect all = {0, 0, 800, 600};
  unsigned char* rgb = malloc(3 * 800 * 600);
  mjr_rectangle(all, 0, 1, 0, 1);
  mjui_render(p.ui, &p.state, &p.con);
  mjr_readPixels(rgb, NULL, all, &p.con);
  int bright = 0;
  for (int y = 0; y < 60; y++) {
    for (int x = 100; x < 100 + p.ui->width; x++) {
      const unsigned char* pixel = rgb + 3 * (y * 800 + x);
      assert_false(pixel[1] == 255 && pixel[0] == 0);
      bright += pixel[0] > 200;
    }
  }
  assert_that(bright, >, 50);
  assert_int_equal(rgb[3 * 99 + 1], 255);
  free(rgb);
  tear_down(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_become_sections),
      cmocka_unit_test(states_are_kept),
      cmocka_unit_test(wrong_tables_are_errors),
      cmocka_unit_test(clicks_change_values),
      cmocka_unit_test(lists_open_while_the_button_is_down),
      cmocka_unit_test(sections_open_and_sliders_move),
      cmocka_unit_test(boxes_of_titles_are_reported),
      cmocka_unit_test(texts_are_edited),
      cmocka_unit_test(shortcuts_do_what_clicks_do),
      cmocka_unit_test(panels_are_drawn_and_scrolled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

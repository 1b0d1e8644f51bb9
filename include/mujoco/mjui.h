// mjui.h: panels of switches, sliders and texts beside a picture.

#ifndef MUJOCO_MJUI_H_
#define MUJOCO_MJUI_H_

#include <mujoco/mjrender.h>

#define mjMAXUISECT 10   // sections
#define mjMAXUIITEM 200  // items in a section
#define mjMAXUITEXT 300  // characters of an edited text
#define mjMAXUINAME 40   // characters of a name
#define mjMAXUIMULTI 35  // choices in a group
#define mjMAXUIEDIT 7    // numbers in an edited list
#define mjMAXUIRECT 25   // rectangles

#define mjSEPCLOSED 1000  // added to the state of a closed separator
#define mjPRESERVE 2000   // added to a state that is to be kept

// Keys have GLFW's codes.
#define mjKEY_ESCAPE 256
#define mjKEY_ENTER 257
#define mjKEY_TAB 258
#define mjKEY_BACKSPACE 259
#define mjKEY_INSERT 260
#define mjKEY_DELETE 261
#define mjKEY_RIGHT 262
#define mjKEY_LEFT 263
#define mjKEY_DOWN 264
#define mjKEY_UP 265
#define mjKEY_PAGE_UP 266
#define mjKEY_PAGE_DOWN 267
#define mjKEY_HOME 268
#define mjKEY_END 269
#define mjKEY_F1 290
#define mjKEY_F2 291
#define mjKEY_F3 292
#define mjKEY_F4 293
#define mjKEY_F5 294
#define mjKEY_F6 295
#define mjKEY_F7 296
#define mjKEY_F8 297
#define mjKEY_F9 298
#define mjKEY_F10 299
#define mjKEY_F11 300
#define mjKEY_F12 301
#define mjKEY_NUMPAD_0 320
#define mjKEY_NUMPAD_9 329

typedef enum mjtButton_ {
  mjBUTTON_NONE = 0,
  mjBUTTON_LEFT,
  mjBUTTON_RIGHT,
  mjBUTTON_MIDDLE
} mjtButton;

typedef enum mjtEvent_ {
  mjEVENT_NONE = 0,
  mjEVENT_MOVE,     // mouse moved
  mjEVENT_PRESS,    // button down
  mjEVENT_RELEASE,  // button up
  mjEVENT_SCROLL,
  mjEVENT_KEY,
  mjEVENT_RESIZE,
  mjEVENT_REDRAW,
  mjEVENT_FILESDROP
} mjtEvent;

typedef enum mjtItem_ {
  mjITEM_END = -2,      // end of a table of definitions
  mjITEM_SECTION = -1,  // a section opens
  mjITEM_SEPARATOR = 0,
  mjITEM_STATIC,  // text
  mjITEM_BUTTON,

  // these show and change a value
  mjITEM_CHECKINT,   // box, int
  mjITEM_CHECKBYTE,  // box, mjtByte
  mjITEM_RADIO,      // one of several, below each other
  mjITEM_RADIOLINE,  // one of several, side by side
  mjITEM_SELECT,     // one of several, in a list that opens
  mjITEM_SLIDERINT,  // slider, int
  mjITEM_SLIDERNUM,  // slider, mjtNum
  mjITEM_EDITINT,    // typed, int
  mjITEM_EDITNUM,    // typed, mjtNum
  mjITEM_EDITFLOAT,  // typed, float
  mjITEM_EDITTXT,    // typed, text

  mjNITEM
} mjtItem;

typedef enum mjtSection_ {
  mjSECT_CLOSED = 0,
  mjSECT_OPEN,
  mjSECT_FIXED  // open for good, without title
} mjtSection;

// Says whether items of a category can be used now.
typedef int (*mjfItemEnable)(int category, void* data);

struct mjuiState_ {  // mouse and keyboard
  // set by the program
  int nrect;
  mjrRect rect[mjMAXUIRECT];  // 0: the whole window
  void* userdata;             // for callbacks

  int type;  // mjtEvent

  // buttons
  int left;
  int right;
  int middle;
  int doubleclick;
  int button;         // mjtButton pressed last
  double buttontime;  // time of the last press

  // mouse
  double x;
  double y;
  double dx;
  double dy;
  double sx;  // scroll
  double sy;

  // keyboard
  int control;
  int shift;
  int alt;
  int key;         // pressed last
  double keytime;  // time of the last key

  // rectangles
  int mouserect;   // under the mouse
  int dragrect;    // being dragged
  int dragbutton;  // mjtButton that drags

  // files let fall on the window, for mjEVENT_FILESDROP
  int dropcount;
  const char** droppaths;
};
typedef struct mjuiState_ mjuiState;

struct mjuiThemeSpacing_ {  // sizes in pixels
  int total;                // width of everything
  int scroll;               // width of the scroll bar
  int label;                // width of labels
  int section;              // between sections
  int cornersect;           // radius of sections' corners
  int cornersep;            // radius of separators' corners
  int itemside;             // around items, by the side
  int itemmid;              // inside items
  int itemver;              // around items, above
  int texthor;              // around text, by the side
  int textver;              // around text, above
  int linescroll;           // one step of scrolling
  int samples;              // per pixel
};
typedef struct mjuiThemeSpacing_ mjuiThemeSpacing;

struct mjuiThemeColor_ {  // colors; a 2 marks the lower end of a gradient or a second state
  float master[3];
  float thumb[3];
  float secttitle[3];
  float secttitle2[3];
  float secttitleuncheck[3];
  float secttitleuncheck2[3];
  float secttitlecheck[3];
  float secttitlecheck2[3];
  float sectfont[3];
  float sectsymbol[3];
  float sectpane[3];
  float separator[3];
  float separator2[3];
  float shortcut[3];
  float fontactive[3];
  float fontinactive[3];
  float decorinactive[3];
  float decorinactive2[3];
  float button[3];
  float check[3];
  float radio[3];
  float select[3];
  float select2[3];
  float slider[3];
  float slider2[3];
  float edit[3];
  float edit2[3];
  float cursor[3];
};
typedef struct mjuiThemeColor_ mjuiThemeColor;

struct mjuiItemSingle_ {  // boxes and buttons
  int modifier;           // 0 none, 1 control, 2 shift, 4 alt
  int shortcut;           // key; 0: none
};

struct mjuiItemMulti_ {  // texts and choices
  int nelem;
  char name[mjMAXUIMULTI][mjMAXUINAME];
};

struct mjuiItemSlider_ {  // sliders
  double range[2];
  double divisions;
};

struct mjuiItemEdit_ {  // typed values
  int nelem;
  double range[mjMAXUIEDIT][2];  // empty: any
};

struct mjuiItem_ {
  int type;  // mjtItem
  char name[mjMAXUINAME];
  int state;    // 0 off, 1 on, more: category to ask about
  void* pdata;  // the value
  int sectionid;
  int itemid;
  int userid;  // for the program

  union {
    struct mjuiItemSingle_ single;
    struct mjuiItemMulti_ multi;
    struct mjuiItemSlider_ slider;
    struct mjuiItemEdit_ edit;
  };

  mjrRect rect;  // where it is
  int skip;      // hidden by a closed separator
};
typedef struct mjuiItem_ mjuiItem;

struct mjuiSection_ {
  char name[mjMAXUINAME];
  int state;     // mjtSection
  int modifier;  // 0 none, 1 control, 2 shift, 4 alt
  int shortcut;  // key; 0: none
  int checkbox;  // 0 none, 1 empty, 2 checked
  int nitem;
  mjuiItem item[mjMAXUIITEM];

  mjrRect rtitle;    // where the title is
  mjrRect rcontent;  // where the items are
  int lastclick;     // button that clicked last
};
typedef struct mjuiSection_ mjuiSection;

struct mjUI_ {
  // set by the program
  mjuiThemeSpacing spacing;
  mjuiThemeColor color;
  mjfItemEnable predicate;
  void* userdata;  // for the predicate
  int rectid;      // its rectangle in mjuiState
  int auxid;       // its buffer in mjrContext
  int radiocol;    // columns of choices; 0: 2

  // sizes, pixels
  int width;
  int height;
  int maxheight;  // with all sections open
  int scroll;     // pixels above the window

  // mouse
  int mousesect;  // 1 + section; 0 none, -1 scroll bar
  int mouseitem;
  int mousehelp;  // shortcuts are shown
  int mouseclicks;
  int mousesectcheck;  // 1 + section whose box is pressed

  // editing
  int editsect;  // 1 + section; 0 none
  int edititem;
  int editcursor;
  int editscroll;
  char edittext[mjMAXUITEXT];
  mjuiItem* editchanged;  // by the last event

  int nsect;
  mjuiSection sect[mjMAXUISECT];
};
typedef struct mjUI_ mjUI;

struct mjuiDef_ {  // line of a table from which a panel is made
  int type;        // mjtItem
  char name[mjMAXUINAME];
  int state;
  void* pdata;
  char other[mjMAXUITEXT];  // choices, range, shortcut: depends on the type
  int otherint;
};
typedef struct mjuiDef_ mjuiDef;

#endif  // MUJOCO_MJUI_H_

"""What docs/conventions.md and its Chinese translation call the values of content/conventions.toml."""

ENGLISH = {
    "columns": ("function", "causal, n < m", "window “2”: causal, two-sided", "empty row", "True in a mask", "1.0 and 0.0", "1 and 0", "a hidden score"),
    "alignment": {
        "start": "first key",
        "end": "last key",
        "end-with-cache": "first key; last key with a cache",
        "start-last-row-open": "first key, but the last row sees all; last key with a cache",
        "equal-lengths": "n = m only",
        "mask-only": "by its mask",
    },
    "empty_row": {
        "zero": "0",
        "mean": "1/m each",
        "nan": "NaN",
        "unmasked": "as if nothing were hidden",
        "mean-with-padding": "equal, places outside included",
    },
    "polarity": {"true-shows": "shows", "true-hides": "hides", "added": "no booleans"},
    "float_mask": {"added": "added", "refused": "refused", "true-shows": "1.0 shows"},
    "int_mask": {"added": "added", "refused": "refused", "shows": "1 shows"},
    "hidden": {"added": "{} added", "written": "{} written over it", "out": "removed", "unseen": "not seen"},
    "window": "{causal} keys, {two_sided}; `{call}`",
    "none": "none",
    "measured": "{package} {version}, measured on {seen}.",
}

CHINESE = {
    "columns": ("函数", "因果，n < m", "窗口 “2”：因果，双侧", "空行", "掩码中的 True", "1.0 与 0.0", "1 与 0", "被遮住的分数"),
    "alignment": {
        "start": "对齐第一个键",
        "end": "对齐最后一个键",
        "end-with-cache": "对齐第一个键；有缓存时对齐最后一个键",
        "start-last-row-open": "对齐第一个键，但最后一行看得见全部；有缓存时对齐最后一个键",
        "equal-lengths": "仅限 n = m",
        "mask-only": "由掩码决定",
    },
    "empty_row": {
        "zero": "0",
        "mean": "各 1/m",
        "nan": "NaN",
        "unmasked": "如同没有遮住任何键",
        "mean-with-padding": "均分，连序列以外的位置也算",
    },
    "polarity": {"true-shows": "可见", "true-hides": "遮住", "added": "不接受布尔值"},
    "float_mask": {"added": "加到分数上", "refused": "报错", "true-shows": "1.0 可见"},
    "int_mask": {"added": "加到分数上", "refused": "报错", "shows": "1 可见"},
    "hidden": {"added": "加上 {}", "written": "写成 {}", "out": "不参与", "unseen": "看不到"},
    "window": "{causal} 个键，{two_sided}；`{call}`",
    "none": "无",
    "measured": "{package} {version}，测于 {seen}。",
}

"""Settings of Sphinx for the pages of flexarm; nothing here needs a network, neither to build nor to read."""

from importlib.metadata import version as installed_version

project = "flexarm"
author = "The flexarm developers"
copyright = "the flexarm developers"
release = version = installed_version("flexarm")

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 4

autosummary_generate = False  # numpydoc brings autosummary along
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "alabaster"
html_theme_options = {
    "description": "Simulation of flexible robot arms",
    "fixed_sidebar": True,
    "page_width": "1060px",
    "sidebar_width": "210px",
    "font_family": "system-ui, sans-serif",
    "head_font_family": "system-ui, sans-serif",
    "show_powered_by": False,
}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_show_sourcelink = False
highlight_language = "none"

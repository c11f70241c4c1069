"""From a few texts to an ontology, a crawl and a comparison, in ten lines.

python examples/first_crawl.py      # writes into the current folder
"""

import fcwseo as f

TEXTS = [
    "A rainstorm is a storm with heavy rain. A rainstorm causes a flash flood.",
    "A flash flood is a flood that rises within hours. Heavy rain causes a landslide.",
    "A landslide follows heavy rain. A flash flood is a flood; a rainstorm is a storm.",
    "Waterlogging is a flood of a city. A rainstorm with heavy rain causes waterlogging.",
]

onto = f.build_ontology(TEXTS, topic="rainstorm")
onto.save("rainstorm.owl")
topic = onto.topic()
print(onto, topic, f"{topic.score('A flash flood after a rainstorm'):.2f}", sep="\n")

web = f.GeneratedWeb(seed=0, pages=2000)
seeds = web.seeds("rainstorm")
run = f.crawl(web=web, topic=topic, seeds=seeds, max_pages=200, out="run")
print(run, run.visits, run.pages, sep="\n")
print(*(hit.title for hit in run.search("flash flood")[:3]), sep="\n")
print(run.explain(run.visits[50].url).strategy, run.report(), sep="\n")

chosen = ["fcwseo", "bfs"]
found = f.compare(web=web, topic=topic, seeds=seeds, strategies=chosen, max_pages=200, out="comparison")
for row in found.table:
    print(f"{row.strategy:8} {row.harvest_rate:.3f}")
